// A GET that does nothing behind the gate, against an empty GET of bare Express: by one key, and by the keys of forty
// organizations in turn, which share nothing in Redis.
import { interleaved, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 5
const roundMs = 2_000
const connections = 48
const organizationCount = 40

export async function benchGate(world: World): Promise<Row[]> {
  const keys: string[] = []
  while (keys.length < organizationCount) keys.push((await world.makeOrganization()).key)
  const gated = await world.start('trials/bench/processes/gatedApi.ts')
  const bare = await world.start('trials/bench/processes/bareExpress.ts', { env: { ORG_UUID: '' } })
  const ask = async ({ pid, ready }: typeof gated, path: string, by: readonly string[]) => {
    const requests = by.map((key) => wireRequest('GET', path, { key }))
    const order = { port: ready.port!, connections, requests, status: 200, until: { ms: roundMs } }
    const { perSecond: figure, cpuMs } = await world.weighedLoad(pid, order)
    return { figure, cpuMs }
  }
  const shapes = [
    { name: 'GET nothing, one key', by: keys.slice(0, 1), atLeast: 0.7 },
    { name: `GET nothing, ${organizationCount} organizations`, by: keys, atLeast: 0.45 },
  ]
  const rows: Row[] = []
  for (const { name, by, atLeast } of shapes) {
    const figures = await interleaved(rounds, {
      ours: () => ask(gated, '/v1/empty', by),
      baseline: () => ask(bare, '/empty', by),
    })
    rows.push(rowOf({ bench: 'gate', name, target: { atLeast } }, figures, perSecond))
  }
  await Promise.all([gated.stop(), bare.stop()])
  return rows
}
