// A hold group of five calendars against one hold. No two groups want a calendar at one time.
import { interleaved, millis, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const bench = 'holdGroups'
const rounds = 5
const roundMs = 2_000
const setCount = 40
const groupSize = 5
const minuteMs = 60_000
/** The longest that a hold may last, less what a round takes. */
const heldMs = 14 * minuteMs
const start = Date.parse('2031-03-02T00:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

export async function benchHoldGroups(world: World): Promise<Row[]> {
  const { key, create } = await world.makeOrganization()
  const sets: string[][] = []
  for (let set = 0; set < setCount; set++) {
    const made = Array.from({ length: groupSize }, () => create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' }))
    sets.push((await Promise.all(made)).map(({ id }) => id))
  }
  let made = 0
  const holdBody = () => {
    const at = start + ++made * minuteMs
    const times = { start_time: iso(at), end_time: iso(at + minuteMs), hold_expires_at: iso(Date.now() + heldMs) }
    return { title: 'Interview', ...times }
  }
  const groups = (nth: number) => {
    const requirements = sets[nth % setCount]!.map((id) => ({ calendar_ids: [id] }))
    return wireRequest('POST', '/v1/hold-groups', { key, body: { ...holdBody(), requirements } })
  }
  const holds = (nth: number) =>
    wireRequest('POST', `/v1/calendars/${sets[nth % setCount]![0]}/events`, {
      key,
      body: { ...holdBody(), status: 'hold' },
    })
  const rateOf = async (connections: number, one: (nth: number) => string, count: number) => {
    const requests = Array.from({ length: count }, (_, nth) => one(nth))
    const order = { port: world.apiPort, connections, requests, status: 201, until: { ms: roundMs } }
    return (await world.load(order)).perSecond
  }
  const msOf = async (one: (nth: number) => string) => 1_000 / (await rateOf(1, one, 4_000))
  const alone = await interleaved(rounds, { ours: () => msOf(groups), baseline: () => msOf(holds) })
  const many = await interleaved(rounds, { ours: () => rateOf(48, groups, 6_000), baseline: () => 400 })
  return [
    rowOf({ bench, name: 'a group of 5 ÷ one hold', target: { atMost: 2.5 } }, alone, millis),
    rowOf({ bench, name: 'groups of 5 on sets of their own, with 400/s', target: { atLeast: 1 } }, many, perSecond),
  ]
}
