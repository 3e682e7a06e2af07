// One attempt on the wire: the emitted payload, with new signatures.
import type { App } from '../app.ts'
import { inSpan, traceHeaders } from '../observability/tracing.ts'
import type { HttpRequest, Outcome } from '../outbound/http.ts'
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'
import { withHeaders } from '../webhooks/headers.ts'
import { deadlineMs } from '../webhooks/outcome.ts'
import { bodyOf, openPayload } from '../webhooks/payload.ts'
import { signature, standardSignature } from '../webhooks/signature.ts'
import { openTargets, type Target } from '../webhooks/target.ts'
import type { ClaimedRow } from './attempts.ts'

const maxResponseBytes = 64 * 1024

/** `at`: when it was signed. */
export type Posted = { at: Date; outcome: Outcome }

type Post = (row: ClaimedRow) => Promise<Posted>

export function openPost(app: App): Post {
  const targetOf = openTargets(app)
  return (row) => {
    const now = app.clock.now()
    const id = encodeId('whd', row.id)
    const body = bodyOf(openPayload(app, row), { id, type: row.eventType, changedAt: row.changedAt })
    const message = {
      id,
      type: row.eventType,
      body,
      ...(row.standard && { changeId: row.changeId, revision: row.revision }),
    }
    const attributes = { 'calendar.delivery.id': id, 'calendar.delivery.attempt': row.attempts }
    return inSpan(`deliver ${row.eventType}`, { kind: 'client', from: row.traceparent, attributes }, async (span) => {
      const outcome = await app.http.send(signedRequest(row, targetOf(row, now), message, now))
      span?.set(outcomeAttributes(outcome))
      return { at: now, outcome }
    })
  }
}

/** `changeId` and `revision`: which change it is about, and that of the calendar after it, for subscriptions that ask for it. */
type Message = {
  id: PublicId<'whd'>
  type: string
  body: string
  changeId?: Uuid
  revision?: number | null
  isTest?: true
}

/** Names and values in turn. Without `keys` the signatures are missing. */
export function headersOf(
  { id, type, body, changeId, revision, isTest }: Message,
  { standard, keys = [] }: { standard: boolean; keys?: Target['keys'] | readonly [] },
  now: Date,
): string[] {
  const [first, next] = keys
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const headers = ['content-type', 'application/json', 'user-agent', 'agent-calendar/1']
  if (first) headers.push('x-signature', signature(first.own, timestamp, body))
  headers.push('x-timestamp', timestamp, 'x-delivery-id', id, 'x-service-event-type', type)
  if (next) headers.push('x-signature-next', signature(next.own, timestamp, body))
  if (standard) {
    headers.push('webhook-id', id, 'webhook-timestamp', timestamp)
    const signatures = keys.flatMap((key) => (key ? [standardSignature(key.standard, id, timestamp, body)] : []))
    if (first) headers.push('webhook-signature', signatures.join(' '))
  }
  if (changeId) headers.push('x-change-id', encodeId('chg', changeId))
  if (revision != null) headers.push('x-calendar-revision', String(revision))
  if (isTest) headers.push('x-service-test', 'true')
  return headers
}

/** Signed now. It must be sent soon: receivers refuse old timestamps. */
export function signedRequest(
  { subscriptionId, standard }: { subscriptionId: Uuid; standard: boolean },
  { url, keys, headers: theirs }: Target,
  message: Message,
  now: Date,
): HttpRequest {
  const { body } = message
  const ours = [...headersOf(message, { standard, keys }, now), ...Object.entries(traceHeaders()).flat()]
  const headers = withHeaders(ours, theirs)
  // Receivers of several subscriptions may share an origin: one that hangs holds no connection of another.
  return { method: 'POST', url, headers, sharing: subscriptionId, body, deadlineMs, maxBytes: maxResponseBytes }
}

/** Without the address: addresses are sealed at rest, and traces are not. */
const outcomeAttributes = (outcome: Outcome) =>
  outcome.kind === 'response'
    ? {
        'http.response.status_code': outcome.status,
        ...(outcome.status >= 300 && { 'error.type': `${outcome.status}` }),
      }
    : { 'error.type': outcome.reason }
