// The judgement on requests about webhooks: requested deliveries arrived again, and every delivery is signed by the
// secret of its time.
import { signature } from '../../src/webhooks/signature.ts'
import type { Arrival } from './arrivals.ts'
import type { Findings } from './findings.ts'
import type { HookLedger } from './ledger.ts'
import type { DeliveryFact } from './snapshot.ts'

/** An attempt may have been under way when it was to be sent again, or when the secret changed. */
const attemptMs = 12_000

type Told = {
  deliveries: readonly DeliveryFact[]
  arrivals: ReadonlyMap<string, readonly Arrival[]>
  ledger: HookLedger
}

export function judgeHooks({ deliveries, arrivals, ledger }: Told, findings: Findings): void {
  const cameSince = (id: string, at: number) => arrivals.get(id)?.some((arrival) => arrival.at >= at) === true
  for (const [id, askedAt] of ledger.resent) {
    if (!cameSince(id, askedAt)) findings.add('lost', `${id} was to be sent again and never came`)
  }
  for (const { webhookId, from, to, matched, askedAt } of ledger.replays) {
    const came = deliveries.filter(({ id, subscriptionId, createdAt }) => {
      const at = createdAt.getTime()
      return subscriptionId === webhookId && at >= from && at <= to && cameSince(id, askedAt - attemptMs)
    })
    const name = `the replay of ${webhookId} from ${new Date(from).toISOString()}`
    if (came.length < matched) findings.add('lost', `${name}: ${came.length} came, not ${matched}`)
  }
  for (const [id, times] of arrivals) {
    for (const arrival of times) judgeSignatures(id, arrival, ledger, findings)
  }
}

/**
 * A receiver that knows one secret alone, the old one or the new one of an overlap, can verify it. A rotation that is forced in an
 * overlap leaves the old one in place.
 */
function judgeSignatures(id: string, { orgId, at, body, signed }: Arrival, ledger: HookLedger, findings: Findings) {
  const known = ledger.secrets.get(orgId)
  if (!known || known.isChanging) return
  const signer = (text: string | undefined) =>
    text === undefined ? -1 : known.all.findIndex(({ secret }) => signature(secret, signed.timestamp, body) === text)
  const [first, next] = [signer(signed.first), signer(signed.next)]
  const newest = known.all.findLastIndex(({ knownAt }) => knownAt < at - attemptMs)
  if (first < 0) findings.add('half', `${id} is signed by no secret of ${orgId}`)
  else if (signed.next !== undefined && next <= first) findings.add('half', `${id} is not signed by a newer secret`)
  else if (Math.max(first, next) < newest) findings.add('half', `${id} is signed by an old secret alone`)
}
