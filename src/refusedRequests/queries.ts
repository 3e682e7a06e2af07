import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import type { RefusedItem } from './writes.ts'

export type RefusedRow = Omit<RefusedItem, 'orgId' | 'keptUntil'>

type Filter = {
  now: Date
  from: Date
  to: Date
  id: Uuid | undefined
  status: number | undefined
  code: string | undefined
  keyPrefix: string | undefined
  /** The last one of the page before. */
  after: { createdAt: Date; id: Uuid } | undefined
}

/** The bound on the time beside the cursor keeps Postgres from reading what comes before it. */
export const refusedPage = (sql: Sql, orgId: Uuid, filter: Filter, limit: number) =>
  own<RefusedRow>(sql, orgId)`
  select
    org_id, id, at, method, path, status, type, code, param, key_prefix, actor_account, agent_id, ip, duration_ms
  from refused_requests
  where org_id = ${orgId} and kept_until > ${filter.now}
    and at >= ${filter.from} and at <= ${filter.to}
    ${filter.id === undefined ? sql`` : sql`and id = ${filter.id}`}
    ${filter.status === undefined ? sql`` : sql`and status = ${filter.status}`}
    ${filter.code === undefined ? sql`` : sql`and code = ${filter.code}`}
    ${filter.keyPrefix === undefined ? sql`` : sql`and key_prefix = ${filter.keyPrefix}`}
    ${filter.after ? sql`and at <= ${filter.after.createdAt} and (at, id) < (${filter.after.createdAt}, ${filter.after.id})` : sql``}
  order by at desc, id desc
  limit ${limit}`

/** For each UTC day of the range. */
export const makePartitions = (sql: Sql, first: Date, last: Date) => sql`
  select make_refused_partitions((${first} at time zone 'UTC')::date, (${last} at time zone 'UTC')::date)`

export const dropPartitions = (sql: Sql, before: Date) => sql`
  select drop_refused_partitions((${before} at time zone 'UTC')::date)`
