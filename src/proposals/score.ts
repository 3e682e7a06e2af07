// Decides which slot wins. Weights are decimals as written, and sums are compared exactly: 0.9 + 1 equals 1.9.
import type { Uuid } from '../shapes/ids.ts'

export type ScoredSlot = { id: Uuid; startTime: Date; weight: number }
export type Vote = { response: 'accept' | 'decline' | 'counter'; selectedSlotId: Uuid | null }

/** An exact decimal: `units` × 10^-scale. */
type Decimal = { units: bigint; scale: number }

/**
 * The slot with the highest score: its weight, plus 1 per accept of it, plus 0.3 per counter. A counter adds the same to
 * every slot, so only weights and accepts are compared. Ties go to the earliest start, then to the slot listed first.
 */
export function winner<Slot extends ScoredSlot>(slots: readonly Slot[], votes: readonly Vote[]): Slot {
  const scored = slots.map((slot) => {
    const accepts = votes.filter((vote) => vote.response === 'accept' && vote.selectedSlotId === slot.id).length
    return { slot, score: plus(decimal(slot.weight), accepts) }
  })
  scored.sort((a, b) => compare(b.score, a.score) || a.slot.startTime.getTime() - b.slot.startTime.getTime())
  return scored[0]!.slot
}

/** From the shortest text that reads back as the same number: `0.9`, `1e-7`. */
function decimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

const rescaled = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale)

const plus = ({ units, scale }: Decimal, whole: number): Decimal => ({
  units: units + BigInt(whole) * 10n ** BigInt(scale),
  scale,
})

function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const difference = rescaled(a, scale) - rescaled(b, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
