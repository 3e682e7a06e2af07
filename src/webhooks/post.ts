// One attempt on the wire: the payload as it was emitted, with a new signature.
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { App } from '../app.ts'
import { inSpan, traceHeaders } from '../observability/tracing.ts'
import type { Outcome } from '../outbound/http.ts'
import { encodeId } from '../shapes/ids.ts'
import type { ClaimedRow } from './attempts.ts'
import { deadlineMs } from './outcome.ts'
import { openPayload } from './payload.ts'
import { secretPlace, urlPlace } from './present.ts'
import { signature } from './signature.ts'

const maxResponseBytes = 64 * 1024
const maxRemembered = 10_000

type Post = (row: ClaimedRow) => Promise<Outcome>

export function openPost(app: App): Post {
  const targetOf = openTargets(app)
  return (row) => {
    const { url, key } = targetOf(row)
    const body = openPayload(app, row)
    const timestamp = String(Math.floor(app.clock.now().getTime() / 1000))
    const attributes = { 'calendar.delivery.id': encodeId('whd', row.id), 'calendar.delivery.attempt': row.attempts }
    return inSpan(`deliver ${row.eventType}`, { kind: 'client', from: row.traceparent, attributes }, async (span) => {
      const outcome = await app.http.send({
        method: 'POST',
        url,
        headers: [
          'content-type',
          'application/json',
          'user-agent',
          'agent-calendar/1',
          'x-signature',
          signature(key, timestamp, body),
          'x-timestamp',
          timestamp,
          'x-delivery-id',
          encodeId('whd', row.id),
          'x-service-event-type',
          row.eventType,
          ...Object.entries(traceHeaders()).flat(),
        ],
        // Receivers of several subscriptions may share an origin: one that hangs holds no connection of another.
        sharing: row.subscriptionId,
        body,
        deadlineMs,
        maxBytes: maxResponseBytes,
      })
      span?.set(outcomeAttributes(outcome))
      return outcome
    })
  }
}

/** Without the address: addresses are sealed at rest, and traces are not. */
const outcomeAttributes = (outcome: Outcome) =>
  outcome.kind === 'response'
    ? {
        'http.response.status_code': outcome.status,
        ...(outcome.status >= 300 && { 'error.type': `${outcome.status}` }),
      }
    : { 'error.type': outcome.reason }

type Target = { url: string; key: KeyObject }

/** The address and key of a subscription, cached by their sealed values, so that a change of either takes effect at once. */
function openTargets({ sealer }: App): (row: ClaimedRow) => Target {
  const known = new Map<string, Target>()
  return ({ subscriptionId, urlSealed, secretSealed }) => {
    const sealed = `${subscriptionId}${urlSealed.toString('latin1')}${secretSealed.toString('latin1')}`
    const remembered = known.get(sealed)
    if (remembered) return remembered
    const secret = sealer.unseal(secretPlace(subscriptionId), secretSealed)
    const target = { url: sealer.unseal(urlPlace(subscriptionId), urlSealed), key: createSecretKey(secret, 'utf8') }
    if (known.size >= maxRemembered) known.clear()
    known.set(sealed, target)
    return target
  }
}
