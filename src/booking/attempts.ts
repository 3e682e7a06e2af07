// A form that is sent again (a reload, a second press, an answer that got lost) carries the same word and is answered with
// the booking it made. Redis keeps the word for a while; without Redis such a guest is told that the slot is taken.
import type { App } from '../app.ts'
import { sha256 } from '../secrets.ts'
import type { PageRow } from './queries.ts'
import type { BookBody } from './schema.ts'

const keptSeconds = 15 * 60

/** The same word means the same attempt on one page and for one slot only. */
const keyOf = ({ config }: App, page: PageRow, { attempt, start }: BookBody): string =>
  `${config.redisPrefix}:booking:${sha256([page.id, start.getTime(), attempt].join(' ')).toString('base64url')}`

export async function rememberAttempt(app: App, page: PageRow, body: BookBody, eventId: string): Promise<void> {
  if (body.attempt === undefined || app.redis.status !== 'ready') return
  await app.redis.set(keyOf(app, page, body), eventId, 'EX', keptSeconds).catch(() => undefined)
}

/** The event that the attempt made. */
export async function recallAttempt(app: App, page: PageRow, body: BookBody): Promise<string | undefined> {
  if (body.attempt === undefined || app.redis.status !== 'ready') return undefined
  const eventId = await app.redis.get(keyOf(app, page, body)).catch(() => null)
  return eventId ?? undefined
}
