// The addresses of booking pages: secret ones, and readable ones beside them.
import { randomToken } from '../sealing/sealer.ts'

/** Of 3 to 64 characters. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Names of the service's own paths, now or later, and names that a stranger could take for its operator. */
const reserved = new Set([
  ...'about account accounts admin administrator agent-calendar api app assets auth billing book booking bookings'.split(
    ' ',
  ),
  ...'calendar cancel connect console contact dashboard demo docs embed event events favicon help home host'.split(' '),
  ...'ical legal login logout mail manage new null official oauth page pages password pricing privacy reschedule'.split(
    ' ',
  ),
  ...'root security settings sign-in sign-up signin signup slots static status support system terms test undefined'.split(
    ' ',
  ),
  ...'update user users webhook webhooks well-known www'.split(' '),
])

export const isReserved = (slug: string): boolean => reserved.has(slug)

const secretBytes = 16
/** In base64url. */
const secretLength = 22

/** It has a capital letter, so no readable address is equal to it. */
export function secretSlug(): string {
  for (;;) {
    const slug = randomToken(secretBytes)
    if (/[A-Z]/.test(slug)) return slug
  }
}

/**
 * The readable address in question: guests may type capitals. A secret address keeps them: otherwise somebody who knows one
 * could name a page like it in small letters, and meet its guests.
 */
export const readableOf = (slug: string): string => (slug.length === secretLength ? slug : slug.toLowerCase())
