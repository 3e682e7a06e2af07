import { word } from './times.ts'

const good = new Set([
  'active',
  'delivered',
  'healthy',
  'confirmed',
  'current',
  'accept',
  'approved',
  'accepted',
  'done',
])
const bad = new Set(['failed', 'failing', 'error', 'reauthorization_required', 'rejected', 'decline', 'expired'])
const asleep = new Set(['paused', 'decommissioned', 'disabled', 'off', 'cancelled', 'disconnected'])

/** A state in the words of the API. The mark before it repeats in shape and colour what the word says. */
export function State({ of, label = word(of) }: { of: string; label?: string }) {
  const kind = good.has(of) ? 'good' : bad.has(of) ? 'bad' : asleep.has(of) ? 'asleep' : 'open'
  return <span className={`state ${kind}`}>{label}</span>
}
