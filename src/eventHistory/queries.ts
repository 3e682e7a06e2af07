import { firstIdAt, type Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export type EntryRow = {
  orgId: Uuid
  changeId: Uuid
  position: number
  type: string
  cause: string
  actor: unknown
  payloadSealed: Buffer
  createdAt: Date
}

type Asked = { orgId: Uuid; eventId: Uuid; since: Date }

/** Of an event, without its moments; the index leaves these out as well. The first id leaves out the days before. */
const entriesOf = (sql: Sql, { orgId, eventId, since }: Asked): Fragment => sql`
  from changes c
  where c.org_id = ${orgId} and c.resource_id = ${eventId} and c.starts_at is null
    and c.change_id >= ${firstIdAt(since)} and c.type like 'event.%'`

/** The newest first. */
export const entriesPage = (sql: Sql, asked: Asked, { limit, offset }: Page) =>
  own<EntryRow>(sql, asked.orgId)`
  select c.org_id, c.change_id, c.position, c.type, c.cause, c.actor, c.payload_sealed, c.created_at
  ${entriesOf(sql, asked)}
  order by c.seq desc, c.position desc
  limit ${limit} offset ${offset}`

export const entriesTotal = (sql: Sql, asked: Asked) =>
  own<{ total: number }>(sql, asked.orgId)`
  select ${askedBy(sql, asked.orgId)}, count(*)::integer as total
  ${entriesOf(sql, asked)}`
