// A GET that does nothing behind the gate, against an empty GET of bare Express.
import { interleaved, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 7
const roundMs = 2_000
const connections = 48

export async function benchGate(world: World): Promise<Row[]> {
  const { key } = await world.makeOrganization()
  const gated = await world.start('trials/bench/processes/gatedApi.ts')
  const bare = await world.start('trials/bench/processes/bareExpress.ts', { env: { ORG_UUID: '' } })
  const ask = async (port: number, path: string) => {
    const requests = [wireRequest('GET', path, { key })]
    return (await world.load({ port, connections, requests, status: 200, until: { ms: roundMs } })).perSecond
  }
  const figures = await interleaved(rounds, {
    ours: () => ask(gated.ready.port!, '/v1/empty'),
    baseline: () => ask(bare.ready.port!, '/empty'),
  })
  await Promise.all([gated.stop(), bare.stop()])
  return [rowOf({ bench: 'gate', name: 'GET nothing', target: { atLeast: 0.6 } }, figures, perSecond)]
}
