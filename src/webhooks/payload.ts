// The emitted payload of a delivery. Its entry in the change feed has it.
import type { App } from '../app.ts'
import { type Moment, momentColumn, payloadText } from '../changeLog/moment.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export type SealedPayload = {
  changeId: Uuid
  position: number
  payloadSealed: Buffer | null
  moment: Moment | null
}

/**
 * Joins the entry of `delivery`, an alias, as `entry`. Postgres looks up one entry after the other: it must not join whole days
 * of them.
 */
export const joinedEntry = (sql: Sql, delivery: Fragment): Fragment => sql`
  left join lateral (
    select c.payload_sealed, ${momentColumn(sql, sql`c`)} as moment, c.revision
    from changes c
    where c.org_id = ${delivery}.org_id and c.seq = ${delivery}.seq
      and c.change_id = ${delivery}.change_id and c.position = ${delivery}.position
    offset 0) entry on true`

/** Of a delivery with its `joinedEntry`. */
export const payloadColumns = (sql: Sql): Fragment => sql`entry.payload_sealed, entry.moment`

/** Whether it was read along with the delivery. */
export const hasPayload = <Row extends object>(row: Row & Partial<SealedPayload>): row is Row & SealedPayload =>
  Boolean(row.payloadSealed)

/** JSON. */
export function openPayload(app: Pick<App, 'sealer'>, row: SealedPayload): string {
  const { changeId, position, payloadSealed, moment } = row
  if (payloadSealed) return payloadText(app, { changeId, position, payloadSealed, moment })
  throw new Error(`the payload of a delivery of change ${changeId} is gone`)
}
