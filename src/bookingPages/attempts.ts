// A form that is sent again (a reload, a second press, a lost answer) has the same `attempt` and gets the booking that it
// made, as long as that exists. Redis keeps the ids of the events that an attempt was about to make; Postgres knows which
// of them exist. Without Redis the guest gets the answer that the slot is taken.
import type { App } from '../app.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { GuestPage } from './pageForGuest.ts'
import { bookedEvent } from './queries.ts'
import type { Answered } from './questions.ts'
import type { BookBody } from './schema.ts'

const keptSeconds = 15 * 60

/** The booking that a guest asks for. */
export type Attempt = {
  page: GuestPage
  body: BookBody
  answers: readonly Answered[]
  guests: readonly string[]
  end: Date
}

/** Attempts are the same only if guest, page and slot are the same, too. */
function keyOf({ config }: App, { page, body }: Attempt): string {
  const { attempt, start, name, email, notes = '' } = body
  const same = JSON.stringify([page.id, start.getTime(), attempt, name, email, notes])
  return `${config.redisPrefix}:booking:${sha256(same).toString('base64url')}`
}

/**
 * Call this before the event is written: then a request that finds the slot taken by it also finds it here, even if the
 * process that wrote it has died. An event that was never written is not recalled.
 */
export async function rememberAttempt(app: App, attempt: Attempt, eventId: Uuid): Promise<void> {
  if (attempt.body.attempt === undefined || app.redis.status !== 'ready') return
  const key = keyOf(app, attempt)
  const added = app.redis.multi().sadd(key, eventId).expire(key, keptSeconds)
  await added.exec().catch(() => undefined)
}

/** The event that the attempt made, if it has not changed since it was booked. */
export async function recallAttempt(app: App, attempt: Attempt): Promise<Uuid | undefined> {
  if (attempt.body.attempt === undefined || app.redis.status !== 'ready') return undefined
  const ids = (await app.redis.smembers(keyOf(app, attempt)).catch(() => [])) as Uuid[]
  if (ids.length === 0) return undefined
  const [event] = await bookedEvent(app.sql, attempt.page, { ids, start: attempt.body.start, end: attempt.end })
  return event?.id
}
