// The audit entry of a change, written in the statement of the change.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

type AuditAction =
  | 'auth.signup'
  | 'auth.signin'
  | 'auth.signout'
  | 'auth.failure'
  | 'org.create'
  | 'member.update'
  | 'member.remove'
  | 'member.leave'
  | 'key.create'
  | 'key.update'
  | 'key.delete'
  | 'key.regenerate'
  | 'key.rotate'
  | 'org.update'
  | 'session.revoke'
  | 'factor.enable'
  | 'factor.disable'
  | 'factor.recovery_used'
  | 'factor.reset'
  | 'approval.request'
  | 'approval.decide'
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
  | 'event.restore'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.delete'
  | 'webhook.rotate'
  | 'webhook.replay'
  | 'ical_subscription.create'
  | 'ical_subscription.update'
  | 'ical_subscription.delete'
  | 'invitation.create'
  | 'invitation.resend'
  | 'invitation.revoke'
  | 'invitation.accept'
  | 'rate_limit.exceeded'

/** Somebody who signs in is not an actor yet. */
type AuditedActor = Pick<Actor, 'orgId' | 'keyPrefix' | 'agentId' | 'account' | 'member' | 'request'>

/** `resource` is the public identifier of the changed record. */
export type Audited = { actor: AuditedActor; action: AuditAction; resource: string }

export const auditEntry = (app: App, actor: AuditedActor, action: AuditAction, resource: string): Effect =>
  auditEntries(app, [{ actor, action, resource }])

/** A change of several things: an entry for each. */
export const auditEntries = (app: App, entries: readonly Audited[], name = 'audit'): Effect => {
  const { sql } = app
  const rows = entries.map((entry) => ({ orgId: entry.actor.orgId, ...entryOf(app, entry) }))
  return effect(
    name,
    sql`${insertEntries(app, rowsOf(sql, rows, { orgId: 'uuid', ...entryColumns }, 'e'))} where exists (select from ${guard})`,
  )
}

/**
 * Many small changes in one statement: an entry for each row of the guard, which has `org_id` and the `entryColumns`. A row without an
 * action has none.
 */
export const auditEach = (app: App): Effect =>
  effect('audit', insertEntries(app, app.sql`${guard} e where e.action is not null`))

/** An entry without the organization, as `auditEach` takes it. */
export const entryColumns = {
  action: 'text',
  actorKeyPrefix: 'text',
  actorAccount: 'text',
  actorMember: 'uuid',
  actorRole: 'text',
  actorAgentId: 'uuid',
  resource: 'text',
  ip: 'text',
  answerStatus: 'smallint',
  method: 'text',
  path: 'text',
  durationMs: 'integer',
  requestId: 'text',
} as const

export const entryOf = ({ clock }: App, { actor, action, resource }: Audited) => ({
  action,
  actorKeyPrefix: actor.keyPrefix,
  actorAccount: actor.account ?? null,
  actorMember: actor.member?.id ?? null,
  actorRole: actor.member?.role ?? null,
  actorAgentId: actor.agentId ?? null,
  resource,
  ip: actor.request.ip,
  answerStatus: actor.request.successStatus,
  method: actor.request.method,
  path: actor.request.path,
  durationMs: clock.now().getTime() - actor.request.startedAt.getTime(),
  requestId: actor.request.id,
})

/** From the rows of a `from` clause whose alias is `e`. */
const insertEntries = ({ sql, clock }: App, from: Fragment): Fragment => sql`
  insert into audit_entries (
    org_id, id, action, actor_key_prefix, actor_account, actor_member, actor_role, agent_id, resource,
    ip, status, method, path, duration_ms, request_id, created_at)
  select
    e.org_id, uuidv7(), e.action, e.actor_key_prefix, e.actor_account, e.actor_member, e.actor_role, e.actor_agent_id, e.resource,
    e.ip, e.answer_status, e.method, e.path, e.duration_ms, e.request_id, ${clock.now()}::timestamptz
  from ${from}`
