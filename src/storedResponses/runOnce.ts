// Does a request once: a repetition with the same key gets the first answer.
import type { ResponseKey } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { openTurns } from '../commit/turns.ts'
import { idempotencyKeyReused, overloaded, ServiceError } from '../errors.ts'
import { hourMs } from '../shapes/durations.ts'
import { encodeId } from '../shapes/ids.ts'
import { batched } from '../stores/batch.ts'
import { isDuplicateIn } from '../stores/failures.ts'
import { keyHeader } from './key.ts'
import { responsesByKey, type StoredRow } from './queries.ts'
import { responseContext } from './sealed.ts'
import { deleteResponse } from './writes.ts'

/** How long a key is known. The purge removes answers after a day, at the next full hour. */
const knownMs = 25 * hourMs

/** An answer that was given before. */
export class StoredResponse {
  readonly status: number
  /** The request as it was sent: JSON, or nothing. */
  readonly text: string
  /** The request that it was given to. */
  readonly requestId: string
  /** The text in a view of the caller. */
  readonly shown: string
  constructor(status: number, text: string, requestId: string, shown = text) {
    this.status = status
    this.text = text
    this.requestId = requestId
    this.shown = shown
  }

  shownAs(text: string): StoredResponse {
    return new StoredResponse(this.status, this.text, this.requestId, text)
  }
}

const turnsOfApp = () => openTurns()

/** The key of a request. */
type KeyedRequest = Pick<ResponseKey, 'orgId' | 'id'> & {
  /** A hash of the request. `stored`: the answer that the key got before; how a request is read may depend on it. */
  fingerprintFor(stored: string): Buffer
}

/**
 * Runs the request, or returns the answer that a request with its key got before. Requests with one key take turns in this
 * process; in another one the second waits in Postgres, for the row of the first. Throws `idempotency_key_reused` if the key
 * came with another request.
 */
export const runOnce = <T>(app: App, key: KeyedRequest, run: () => Promise<T>): Promise<T | StoredResponse> =>
  app.memory(turnsOfApp)(`${key.orgId} ${key.id}`, async () => {
    const stored = await storedAnswer(app, key)
    if (stored) return stored
    try {
      const answer = await run()
      app.metrics.answers.inc({ outcome: 'stored' })
      return answer
    } catch (error) {
      // The same request in another process may have been first, and may be the reason for the refusal.
      const isRival = isDuplicateIn(error, 'answers_pkey')
      const twin = isRival || isRefusal(error) ? await storedAnswer(app, key) : undefined
      if (twin) return twin
      throw isRival ? overloaded('A request with the same key is in progress. Nothing was changed; try again.') : error
    }
  })

const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && error.status >= 400 && error.status < 500

const maxTogether = 200
/** Fewer and larger statements while many ask. */
const gather = { upTo: 4, gatherMs: 1 }

/** The look-ups of one turn of the event loop share a statement. */
const openLookUp = (app: App) =>
  batched<Pick<ResponseKey, 'orgId' | 'id'>, StoredRow | undefined>(
    maxTogether,
    async (keys) => {
      const rows = new Map((await responsesByKey(app.sql, keys)).map((row) => [row.id, row]))
      return keys.map(({ id }) => rows.get(id))
    },
    { gather },
  )

async function storedAnswer(app: App, asked: KeyedRequest): Promise<StoredResponse | undefined> {
  const { sql, sealer, clock, metrics } = app
  const { orgId, id } = asked
  const row = await app.memory(openLookUp)({ orgId, id })
  if (!row) return undefined
  const forgotten = new Date(clock.now().getTime() - knownMs)
  if (row.createdAt < forgotten) {
    await deleteResponse(sql, orgId, id, forgotten)
    return undefined
  }
  const requestId = encodeId('req', row.requestId)
  const text = sealer.unseal(responseContext(id), row.answerSealed)
  if (!row.fingerprint.equals(asked.fingerprintFor(text))) {
    metrics.answers.inc({ outcome: 'reused' })
    throw idempotencyKeyReused(keyHeader, requestId)
  }
  metrics.answers.inc({ outcome: 'replayed' })
  return new StoredResponse(row.status, text, requestId)
}
