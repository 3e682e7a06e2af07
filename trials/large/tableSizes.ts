// The disk that the tables take, per row, to compare with what was foretold.
import { gigabytes } from './disk.ts'
import { sizesOf } from './shape.ts'
import type { Side } from './side.ts'

const tables = {
  organizations: [
    'organizations',
    'api_keys',
    'accounts',
    'memberships',
    'webhook_subscriptions',
    'webhook_delivery_counts',
  ],
  agents: ['agents'],
  calendars: ['calendars'],
  events: ['events'],
  timers: ['timers'],
  deliveries: ['webhook_deliveries'],
  entries: ['changes'],
} as const

/** Partitions included. */
export async function sizeOf({ world: { app }, agents }: Side): Promise<string> {
  const sizes = sizesOf(agents)
  let total = 0
  const each: string[] = []
  for (const [name, of] of Object.entries(tables)) {
    const [row] = await app.sql<{ bytes: number }[]>`
      select sum(pg_total_relation_size(coalesce(p.relid, t.name)))::bigint as bytes
      from unnest(string_to_array(${of.join(' ')}, ' ')::regclass[]) as t (name)
      left join lateral pg_partition_tree(t.name) p on true`
    const bytes = Number(row!.bytes)
    total += bytes
    each.push(`${name} ${Math.round(bytes / sizes[name as keyof typeof sizes])}`)
  }
  return `Its tables take ${gigabytes(total)}; bytes per row with indexes: ${each.join(', ')}`
}
