// Which wake-ups the due timers need.
import type { App } from '../app.ts'
import { type Wakeup, wakeTimers } from '../jobs.ts'
import { shardCount } from './timers.ts'

/** One wake-up per second and shard. `from` undefined: one per shard that has anything due by `until`. */
export async function timerWakeups(app: App, from: Date | undefined, until: Date, rescuedAt?: Date): Promise<Wakeup[]> {
  const rows = from ? await secondsBetween(app, from, until) : await overdueShards(app, until)
  return rows.map(({ shard, second }) => wakeTimers(shard, second, rescuedAt))
}

type SecondRow = { shard: number; second: number }

const secondsBetween = ({ sql }: App, from: Date, until: Date) => sql<SecondRow[]>`
  select distinct shard, floor(extract(epoch from due_at))::integer as second
  from timers where due_at > ${from} and due_at <= ${until}`

const overdueShards = ({ sql }: App, until: Date) => sql<SecondRow[]>`
  select shard, ${Math.floor(until.getTime() / 1000)}::integer as second from generate_series(0, ${shardCount - 1}) as shard
  where exists (select from timers t where t.shard = shard.shard and t.due_at <= ${until})`
