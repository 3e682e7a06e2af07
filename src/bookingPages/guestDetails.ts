// The guest of a booking, as its row stores them: sealed, as personal data.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Language } from './languages/languages.ts'
import type { Clock } from './times.ts'

/** `locale`: the style of dates and times. `token`: of the page of the booking. `others`: the addresses of further guests. */
export type Guest = {
  name: string
  email: string
  language: Language
  locale: string
  zone: string
  token: string
  others?: string[]
  clock?: Clock
}

export const guestContext = (id: Uuid) => `bookings.guest:${id}` as const

export const sealGuest = ({ sealer }: App, id: Uuid, guest: Guest): Buffer =>
  sealer.seal(guestContext(id), JSON.stringify(guest))

export const openGuest = ({ sealer }: App, { id, guestSealed }: { id: Uuid; guestSealed: Buffer }): Guest =>
  JSON.parse(sealer.unseal(guestContext(id), guestSealed)) as Guest
