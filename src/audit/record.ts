// The audit entry of a change, written in the statement of the change.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { newId } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'

type AuditAction =
  | 'auth.signup'
  | 'auth.signin'
  | 'auth.signout'
  | 'auth.failure'
  | 'key.create'
  | 'key.delete'
  | 'key.regenerate'
  | 'org.update'
  | 'account.delete'
  | 'account.address_proven'
  | 'account.locked_out'
  | 'agent.create'
  | 'agent.update'
  | 'agent.delete'
  | 'calendar.create'
  | 'calendar.update'
  | 'calendar.delete'
  | 'event.create'
  | 'event.update'
  | 'event.delete'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.delete'
  | 'ical_subscription.create'
  | 'ical_subscription.update'
  | 'ical_subscription.delete'
  | 'rate_limit.exceeded'

/** Who signs in is not an actor yet. */
type AuditedActor = Pick<Actor, 'orgId' | 'keyPrefix' | 'agentId' | 'account' | 'request'>

/** `resource` is the public identifier of what was changed. */
export type Audited = { actor: AuditedActor; action: AuditAction; resource: string }

export const audited = (app: App, actor: AuditedActor, action: AuditAction, resource: string): Fragment =>
  insertEntries(app, [{ actor, action, resource, key: null }], app.sql`exists (select from guard)`)

/** One change to many things: an entry for each. */
export const auditedEach = (app: App, entries: readonly Audited[]): Fragment =>
  insertEntries(
    app,
    entries.map((entry) => ({ ...entry, key: null })),
    app.sql`exists (select from guard)`,
  )

/** Many small changes in one statement: each entry is written when `guard` returned a row with its `key`. */
export const auditedPerKey = (app: App, entries: readonly (Audited & { key: string })[]): Fragment =>
  insertEntries(app, entries, app.sql`e.key in (select key from guard)`)

function insertEntries(
  { sql, clock }: App,
  entries: readonly (Audited & { key: string | null })[],
  condition: Fragment,
): Fragment {
  const now = clock.now()
  const rows = entries.map(({ actor, action, resource, key }) => ({
    org_id: actor.orgId,
    id: newId(),
    action,
    actor_key_prefix: actor.keyPrefix,
    actor_account: actor.account ?? null,
    agent_id: actor.agentId ?? null,
    resource,
    ip: actor.request.ip,
    status: actor.request.successStatus,
    method: actor.request.method,
    path: actor.request.path,
    duration_ms: now.getTime() - actor.request.startedAt.getTime(),
    request_id: actor.request.id,
    created_at: now,
    key,
  }))
  return sql`
    insert into audit_entries (org_id, id, action, actor_key_prefix, actor_account, agent_id, resource, ip, status,
      method, path, duration_ms, request_id, created_at)
    select e.org_id, e.id, e.action, e.actor_key_prefix, e.actor_account, e.agent_id, e.resource, e.ip, e.status,
      e.method, e.path, e.duration_ms, e.request_id, e.created_at
    from jsonb_to_recordset(${sql.json(rows as never)}) as e
      (org_id uuid, id uuid, action text, actor_key_prefix text, actor_account text, agent_id uuid, resource text, ip text,
       status smallint, method text, path text, duration_ms integer, request_id text, created_at timestamptz, key text)
    where ${condition}`
}
