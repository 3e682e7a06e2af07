// A form that is sent again (a reload, a second press, an answer that got lost) carries the same word and is answered with
// the booking it made, for as long as that stands. Redis keeps which events a word was about to make, Postgres says which
// of them there is; without Redis such a guest is told that the slot is taken.
import type { App } from '../app.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { GuestPage } from './guest.ts'
import { bookedEvent } from './queries.ts'
import type { BookBody } from './schema.ts'

const keptSeconds = 15 * 60

/** What a guest asks of a page. */
export type Wanted = { page: GuestPage; body: BookBody; end: Date }

/** The same word means the same attempt of one guest, on one page and for one slot only. */
function keyOf({ config }: App, { page, body }: Wanted): string {
  const { attempt, start, name, email, notes = '' } = body
  const same = JSON.stringify([page.id, start.getTime(), attempt, name, email, notes])
  return `${config.redisPrefix}:booking:${sha256(same).toString('base64url')}`
}

/**
 * Before the event is written, so that whoever finds the slot taken by it finds it here, whatever became of the process
 * that wrote it. One that was not written after all is never recalled.
 */
export async function rememberAttempt(app: App, wanted: Wanted, eventId: Uuid): Promise<void> {
  if (wanted.body.attempt === undefined || app.redis.status !== 'ready') return
  const key = keyOf(app, wanted)
  const added = app.redis.multi().sadd(key, eventId).expire(key, keptSeconds)
  await added.exec().catch(() => undefined)
}

/** The event that the attempt made, if it still stands as it was booked. */
export async function recallAttempt(app: App, wanted: Wanted): Promise<Uuid | undefined> {
  if (wanted.body.attempt === undefined || app.redis.status !== 'ready') return undefined
  const ids = (await app.redis.smembers(keyOf(app, wanted)).catch(() => [])) as Uuid[]
  if (ids.length === 0) return undefined
  const [event] = await bookedEvent(app.sql, wanted.page, { ids, start: wanted.body.start, end: wanted.end })
  return event?.id
}
