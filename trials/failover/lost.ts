// The losses of asynchronous replication: counted, held against the lag, and explained. Pure.
import type { Findings } from '../faults/findings.ts'
import { momentTold } from '../faults/moments.ts'
import type { World } from '../faults/world.ts'
import { seconds } from './fault.ts'

type Finding = Findings['all'][number]
type Lost = { lostAt: number; lagMs: number }

/** An answer may be noted a little later than its change was committed. */
const graceMs = 2_000

/** Returns the findings that the lag does not explain; prints the others. */
export function explainLosses(
  all: readonly Finding[],
  { ledger, receiver }: World,
  { lostAt, lagMs }: Lost,
): Finding[] {
  const gone = all.filter(({ text }) => text.includes('the acknowledged'))
  const phantoms = all.filter(({ text }) => text.endsWith('arrived and is not in the database'))
  console.log(`    lost with a lag of ${seconds(lagMs)}: ${gone.length} acknowledged changes`)
  console.log(
    `    ${phantoms.length} deliveries arrived that no database has; ${toldTwice(receiver.arrivals)} moments were told twice`,
  )
  for (const line of advice) console.log(`    ${line}`)
  const isOlder = ({ text }: Finding) => {
    const acknowledgedAt = ledger.acknowledgedAt.get(text.split(':')[0]!) ?? lostAt
    return acknowledgedAt < lostAt - lagMs - graceMs
  }
  const explained = new Set(['lost', 'half', 'twice'])
  const others = all.filter(({ kind }) => !explained.has(kind))
  return [
    ...others,
    ...gone.filter(isOlder).map(({ text }) => ({ kind: 'lost' as const, text: `${text}, older than the lag` })),
  ]
}

const advice = [
  'With asynchronous commit the last changes before the loss of a primary are gone, though they were acknowledged.',
  'Receivers may know events that no database has, and may hear of a moment again under another delivery id.',
  'Name the time span to customers, from the last change that is there until the promotion, or commit synchronously.',
]

type Arrived = { body: string }

/** Moments that arrived under more than one delivery id. */
export function toldTwice(arrivals: ReadonlyMap<string, readonly Arrived[]>): number {
  const ids = new Map<string, number>()
  for (const [first] of arrivals.values()) {
    const payload = JSON.parse(first!.body)
    const moment = momentTold({ type: payload.type, payload })
    if (moment) ids.set(moment.key, (ids.get(moment.key) ?? 0) + 1)
  }
  return [...ids.values()].filter((count) => count > 1).length
}
