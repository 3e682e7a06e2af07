// Deliveries to webhooks that ask for the headers of Standard Webhooks and name their calendars, against plain ones.
import { deliverOurs, setScene } from './deliveries.ts'
import { interleaved, perSecond, type Row, rowOf } from './figures.ts'
import { openReceivers } from './receivers.ts'
import type { World } from './world.ts'

const rounds = 5
const subscriptions = 20
const counts = { total: 2_500, warmUp: 1_000 }

export async function benchDressedDeliveries(world: World): Promise<Row[]> {
  const receivers = await openReceivers(world, subscriptions)
  const plain = await setScene(world, receivers, { counts })
  const dressed = await setScene(world, receivers, { counts, isDressed: true })
  const figures = await interleaved(rounds, {
    ours: () => deliverOurs(dressed),
    baseline: () => deliverOurs(plain),
  })
  await receivers.stop()
  const name = 'with `standard` and `calendar_ids` ÷ without'
  return [rowOf({ bench: 'deliveries', name, target: { atLeast: 0.97 } }, figures, perSecond)]
}
