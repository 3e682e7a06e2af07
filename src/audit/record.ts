// The audit entry of a change, written in the statement of the change.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Effect, effect } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import { newId } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

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

/** Somebody who signs in is not an actor yet. */
type AuditedActor = Pick<Actor, 'orgId' | 'keyPrefix' | 'agentId' | 'account' | 'request'>

/** `resource` is the public identifier of what was changed. */
export type Audited = { actor: AuditedActor; action: AuditAction; resource: string }

export const auditEntry = (app: App, actor: AuditedActor, action: AuditAction, resource: string): Effect =>
  auditEntries(app, [{ actor, action, resource }])

/** A change of several things: an entry for each. */
export const auditEntries = (app: App, entries: readonly Audited[], name = 'audit'): Effect =>
  effect(
    name,
    insertEntries(
      app,
      entries.map((entry) => ({ ...entry, key: null })),
      app.sql`exists (select from ${guard})`,
    ),
  )

/** Many small changes in one statement: each entry is written if the guard returned a row with its `key`. */
export const auditEntryPerKey = (app: App, entries: readonly (Audited & { key: string })[]): Effect =>
  effect('audit', insertEntries(app, entries, app.sql`e.key in (select key from ${guard})`))

const entryColumns = {
  orgId: 'uuid',
  id: 'uuid',
  action: 'text',
  actorKeyPrefix: 'text',
  actorAccount: 'text',
  agentId: 'uuid',
  resource: 'text',
  ip: 'text',
  status: 'smallint',
  method: 'text',
  path: 'text',
  durationMs: 'integer',
  requestId: 'text',
  createdAt: 'timestamptz',
  key: 'text',
} as const

function insertEntries(
  { sql, clock }: App,
  entries: readonly (Audited & { key: string | null })[],
  condition: Fragment,
): Fragment {
  const now = clock.now()
  const rows = entries.map(({ actor, action, resource, key }) => ({
    orgId: actor.orgId,
    id: newId(),
    action,
    actorKeyPrefix: actor.keyPrefix,
    actorAccount: actor.account ?? null,
    agentId: actor.agentId ?? null,
    resource,
    ip: actor.request.ip,
    status: actor.request.successStatus,
    method: actor.request.method,
    path: actor.request.path,
    durationMs: now.getTime() - actor.request.startedAt.getTime(),
    requestId: actor.request.id,
    createdAt: now,
    key,
  }))
  return sql`
    insert into audit_entries (
      org_id, id, action, actor_key_prefix, actor_account, agent_id, resource,
      ip, status, method, path, duration_ms, request_id, created_at)
    select
      e.org_id, e.id, e.action, e.actor_key_prefix, e.actor_account, e.agent_id, e.resource,
      e.ip, e.status, e.method, e.path, e.duration_ms, e.request_id, e.created_at
    from ${rowsOf(sql, rows, entryColumns, 'e')}
    where ${condition}`
}
