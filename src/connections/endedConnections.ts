// Accounts of removed connections: the events published through them are withdrawn, then the accounts are deleted.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** Of connections that are being removed: those through which something was published. */
export const insertEndedConnections = (sql: Sql, orgId: Uuid, connections: Fragment, givesUpAt: Date): Effect =>
  effect(
    'ended_connections',
    sql`
    insert into departing_connections (
      org_id, id, provider, credentials_sealed, credentials_version, server_sealed, gives_up_at)
    select n.org_id, n.id, n.provider, n.credentials_sealed, n.credentials_version, n.server_sealed, ${givesUpAt}::timestamptz
    from calendar_connections n
    where n.org_id = ${orgId} and n.id in (${connections}) and n.credentials_sealed is not null
      and exists (select from external_destinations d where d.org_id = n.org_id and d.connection_id = n.id)
      and exists (select from ${guard})`,
  )

/** Once nothing is left to withdraw. Returns the revocation, which is due now. */
export const finishEndedConnection = (sql: Sql, orgId: Uuid, connectionId: Uuid) =>
  own<{ id: Uuid; dueAt: Date }>(sql, orgId)`
  with ended as (
    delete from departing_connections l
    where l.org_id = ${orgId} and l.id = ${connectionId}
      and not exists (select from external_destinations d where d.org_id = l.org_id and d.connection_id = l.id)
    returning l.org_id, l.id
  )
  update connection_revocations r
  set next_run_at = app_now()
  from ended
  where r.org_id = ended.org_id and r.id = ended.id
  returning r.org_id, r.id, r.next_run_at as due_at`
