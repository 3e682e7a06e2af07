// The statements that remove deliveries. The table is partitioned: rows are named by their key, since a `ctid` is only unique
// within a partition.
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'

/** For each UTC day of the range. */
export const makePartitions = (sql: Sql, first: Date, last: Date) => sql`
  select make_delivery_partitions((${first} at time zone 'UTC')::date, (${last} at time zone 'UTC')::date)`

/** The days that ended before the one of `before`. */
export const dropPartitions = (sql: Sql, before: Date) => sql`
  select drop_delivery_partitions((${before} at time zone 'UTC')::date)`

/** Up to `max` deliveries of changes before this one that have ended, of days that had no partition. */
export const deleteStray = (sql: Sql, before: Uuid, max: number) => sql<{ deleted: number }[]>`
  with
  stray as (
    delete from webhook_deliveries_ended_default
    where ctid = any (array(select ctid from webhook_deliveries_ended_default where change_id < ${before} limit ${max}))
    returning org_id, subscription_id, status
  ),
  -- how many each subscription loses
  lost as (
    select
      org_id, subscription_id,
      count(*) filter (where status = 'delivered') as delivered,
      count(*) filter (where status = 'failed') as failed
    from stray
    group by 1, 2
  ),
  -- locked in the one order, so that no two statements wait for each other
  locked as (
    select c.org_id, c.subscription_id, lost.delivered, lost.failed
    from webhook_delivery_counts c
    join lost using (org_id, subscription_id)
    order by c.org_id, c.subscription_id
    for no key update of c
  ),
  counted as (
    update webhook_delivery_counts c
    set delivered = c.delivered - l.delivered, failed = c.failed - l.failed
    from locked l
    where c.org_id = l.org_id and c.subscription_id = l.subscription_id
  )
  select count(*)::integer as deleted
  from stray`

/** Up to `max` deliveries of changes before this one that wait for a subscription which is switched off or removed. */
export const deleteParked = (sql: Sql, before: Uuid, max: number) => sql`
  delete from webhook_deliveries d
  where d.status = 'pending' and (d.org_id, d.id) in (
    select p.org_id, p.id
    from webhook_deliveries p
    where p.status = 'pending' and p.change_id < ${before}
      and not exists (
        select from webhook_subscriptions s where s.org_id = p.org_id and s.id = p.subscription_id and s.active)
    limit ${max})`

/** The oldest change that a delivery waits for. */
export const oldestPending = (sql: Sql) => sql<{ changedAt: Date }[]>`
  select uuid_extract_timestamp(change_id) as changed_at
  from webhook_deliveries
  where status = 'pending'
  order by change_id
  limit 1`

/** Above every id. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Up to `max` deliveries of an organization. As a range of ids, which each part finds in its index: a list of ids would be joined
 * with all of them.
 */
export const deleteDeliveries = (sql: Sql, orgId: Uuid, max: number) => sql`
  delete from webhook_deliveries
  where org_id = ${orgId} and id <= coalesce(
    (select id from webhook_deliveries where org_id = ${orgId} order by id offset ${max - 1} limit 1), ${lastId}::uuid)`
