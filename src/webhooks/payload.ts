// The emitted payload of a delivery. Its entry in the change feed has it.
import type { App } from '../app.ts'
import { type Moment, momentColumn, payloadText } from '../changeLog/moment.ts'
import { isoTime } from '../shapes/datetimes.ts'
import type { PublicId, Uuid } from '../shapes/ids.ts'
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
    select c.payload_sealed, ${momentColumn(sql, sql`c`)} as moment, c.revision, c.created_at
    from changes c
    where c.org_id = ${delivery}.org_id and c.seq = ${delivery}.seq
      and c.change_id = ${delivery}.change_id and c.position = ${delivery}.position
    offset 0) entry on true`

/** Of a delivery with its `joinedEntry`. */
export const payloadColumns = (sql: Sql): Fragment => sql`entry.payload_sealed, entry.moment`

/**
 * Of a delivery `d` with its `joinedEntry`: what its body is made of besides the payload. The time of the change is null without an
 * envelope.
 */
export const envelopeColumns = (sql: Sql): Fragment => sql`case when d.envelope then entry.created_at end as changed_at`

/**
 * The body of a delivery: its payload, or that in its envelope. Both are the same at each attempt. `changedAt`: when the change
 * happened, null without an envelope.
 */
export const bodyOf = (payload: string, { id, type, changedAt }: Enveloped): string =>
  changedAt === null
    ? payload
    : `{"type":${JSON.stringify(type)},"id":"${id}","at":"${isoTime(changedAt)}","data":${payload}}`

type Enveloped = { id: PublicId<'whd'>; type: string; changedAt: Date | null }

/** Whether it was read along with the delivery. */
export const hasPayload = <Row extends object>(row: Row & Partial<SealedPayload>): row is Row & SealedPayload =>
  Boolean(row.payloadSealed)

/** JSON. */
export function openPayload(app: Pick<App, 'sealer'>, row: SealedPayload): string {
  const { changeId, position, payloadSealed, moment } = row
  if (payloadSealed) return payloadText(app, { changeId, position, payloadSealed, moment })
  throw new Error(`the payload of a delivery of change ${changeId} is gone`)
}
