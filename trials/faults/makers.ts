// Who made the records of the database: every record of an organization carries its maker's mark or key.
import type postgres from 'postgres'
import { titleContext } from '../../src/changeLog/sealed.ts'
import type { Sealer } from '../../src/sealing/sealer.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { urlContext } from '../../src/webhooks/present.ts'
import type { Owners } from './identity.ts'

/** `says`: the text of the record that names its maker. */
type MadeRecord = { orgId: string; what: string; says: string }

/** Returns one sentence for each record that another organization made, or that carries no mark. */
export function judgeMakers(records: readonly MadeRecord[], owners: Owners): string[] {
  return records.flatMap(({ orgId, what, says }) => {
    const foreign = owners.foreignIn(orgId, says)
    if (foreign.length > 0) return [`${what} of ${orgId} was made by ${foreign.join(', ')}`]
    return owners.isNamedIn(orgId, says) ? [] : [`${what} of ${orgId} does not name its maker: ${says}`]
  })
}

type Row = { orgId: Uuid; id: Uuid; what: string; says: string }
type SealedRow = { orgId: Uuid; id: Uuid; sealed: Buffer }

export async function readMadeRecords(sql: postgres.Sql, sealer: Sealer): Promise<MadeRecord[]> {
  const plain = await sql<Row[]>`
    select id as "orgId", id, 'organization' as what, name || ' ' || email as says from organizations
    union all select m.org_id, m.org_id, 'account', a.email from memberships m join accounts a on a.id = m.account_id
    union all select org_id, id, 'agent', name || ' ' || coalesce(description, '') from agents
    union all select org_id, id, 'calendar', name from calendars
    union all select org_id, id, 'booking page', title from booking_pages
    union all select org_id, id, 'key', prefix from api_keys
    union all select org_id, id, 'audit entry ' || action, actor_key_prefix || ' ' || coalesce(resource, '')
      from audit_entries where actor_key_prefix is not null`
  const events = await sql<SealedRow[]>`select org_id as "orgId", id, title_sealed as sealed from events`
  const webhooks = await sql<SealedRow[]>`select org_id as "orgId", id, url_sealed as sealed from webhook_subscriptions`
  return [
    ...plain.map(({ id, what, ...row }) => ({ ...row, what: `${what} ${id}` })),
    ...events.map(({ orgId, id, sealed }) => ({
      orgId,
      what: `event ${encodeId('evt', id)}`,
      says: sealer.unseal(titleContext(id), sealed),
    })),
    ...webhooks.map(({ orgId, id, sealed }) => ({
      orgId,
      what: `webhook ${encodeId('whk', id)}`,
      says: sealer.unseal(urlContext(id), sealed),
    })),
  ].map((record) => ({ ...record, orgId: encodeId('org', record.orgId) }))
}
