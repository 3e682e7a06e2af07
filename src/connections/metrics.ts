// How many connections, external calendars and channels there are and in which state, for the gauges.
import type { App } from '../app.ts'
import type { ProviderName } from '../providers/rules.ts'
import { type ConnectionStatus, type Copy, type SyncStatus, syncStatusOf } from './rules.ts'

const maxConnections = 100_000
const maxCounted = 10_000

type Counted<Kind> = Kind & { count: number }

export const connectionCounts = ({ sql }: App) => sql<Counted<{ provider: ProviderName; status: ConnectionStatus }>[]>`
  select provider, status, count(*)::integer as count
  from (select provider, status from calendar_connections limit ${maxConnections}) one
  group by provider, status`

export const channelStates = ['live', 'late', 'ended'] as const

type ChannelKind = { provider: ProviderName; state: (typeof channelStates)[number] }

/** Of those that end first. A channel that is not made yet is not counted. */
export const channelCounts = ({ sql }: App) => sql<Counted<ChannelKind>[]>`
  select n.provider,
    case when c.expires_at <= app_now() then 'ended' when c.renew_at <= app_now() then 'late' else 'live' end as state,
    count(*)::integer as count
  from (
    select org_id, connection_id, renew_at, expires_at
    from connection_channels
    where resource_sealed is not null
    order by expires_at
    limit ${maxCounted}) c
  join calendar_connections n on n.org_id = c.org_id and n.id = c.connection_id
  where n.status = 'active'
  group by 1, 2`

type CopyRow = Omit<Copy, 'isSelected'>

/** The same decision as the one that answers show, so each copy is looked at. */
export async function calendarCounts({ sql, clock }: App): Promise<Map<SyncStatus, number>> {
  const copies = (isRead: boolean) => sql`
    select n.status = 'active' as is_active, x.last_read_at, n.notified_at as unread_since, x.last_attempted_at,
      coalesce(n.claimed_until > app_now(), false) as is_reading, x.last_error, x.is_refused, x.is_cut
    from (
      select org_id, connection_id, last_read_at, last_attempted_at, last_error, is_refused, is_cut
      from external_calendars
      where is_selected and last_read_at is ${isRead ? sql`not` : sql``} null
      order by last_read_at
      limit ${maxCounted}) x
    join calendar_connections n on n.org_id = x.org_id and n.id = x.connection_id`
  const rows = await sql<CopyRow[]>`(${copies(true)}) union all (${copies(false)})`
  const now = clock.now()
  const counts = new Map<SyncStatus, number>()
  for (const row of rows) {
    const status = syncStatusOf({ ...row, isSelected: true }, now)!
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return counts
}

/**
 * A failure at the provider, or a wait for the human, is not our fault. A calendar that was never read shows up through its
 * connection, whose read is due.
 */
export async function stalestSeconds({ sql }: App): Promise<number> {
  const [row] = await sql<[{ seconds: number }]>`
    select coalesce(greatest(0, extract(epoch from app_now() - least(
      (select x.last_read_at
        from external_calendars x
        join calendar_connections n on n.org_id = x.org_id and n.id = x.connection_id
        where x.is_selected and x.last_read_at is not null and x.is_readable and x.last_error is null
          and n.status = 'active' and n.consecutive_failures = 0
        order by x.last_read_at
        limit 1),
      (select min(next_read_at) from calendar_connections where next_read_at <= app_now() and status = 'active')
      ))), 0)::float8 as seconds`
  return row.seconds
}
