// The payload of a delivery, as it was emitted. Its entry in the log of changes has it. A delivery that was written before there
// was such a log has its own.
import type { App } from '../app.ts'
import { payloadPlace } from '../changelog/sealed.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export const ownPayloadPlace = (changeId: Uuid, position: number) =>
  `webhook_deliveries.payload:${changeId}:${position}` as const

export type SealedPayload = {
  changeId: Uuid
  position: number
  ownPayloadSealed: Buffer | null
  payloadSealed: Buffer | null
}

/** A column of the entry that `delivery`, an alias, points to. */
export const entryColumn = (sql: Sql, delivery: Fragment, column: Fragment): Fragment => sql`
  (select c.${column}
   from changes c
   where c.org_id = ${delivery}.org_id and c.seq = ${delivery}.seq
     and c.change_id = ${delivery}.change_id and c.position = ${delivery}.position)`

/** Of `delivery`, an alias. */
export const payloadColumns = (sql: Sql, delivery: Fragment): Fragment => sql`
  ${delivery}.payload_sealed as own_payload_sealed,
  ${entryColumn(sql, delivery, sql`payload_sealed`)} as payload_sealed`

/** Whether it was read along with the delivery. */
export const hasPayload = <Row extends object>(row: Row & Partial<SealedPayload>): row is Row & SealedPayload =>
  Boolean(row.ownPayloadSealed || row.payloadSealed)

/** JSON. */
export function openPayload({ sealer }: Pick<App, 'sealer'>, row: SealedPayload): string {
  const { changeId, position, ownPayloadSealed, payloadSealed } = row
  if (ownPayloadSealed) return sealer.unseal(ownPayloadPlace(changeId, position), ownPayloadSealed)
  if (payloadSealed) return sealer.unseal(payloadPlace(changeId, position), payloadSealed)
  throw new Error(`the payload of a delivery of change ${changeId} is gone`)
}
