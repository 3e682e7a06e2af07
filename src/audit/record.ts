// The audit entry of a change, written in the statement of the change.
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import type { Fragment } from '../db.ts'
import { newId } from '../ids.ts'

export const auditActions = [
  'auth.signup',
  'auth.signin',
  'auth.signout',
  'auth.failure',
  'key.create',
  'key.delete',
  'key.regenerate',
  'org.update',
  'account.delete',
  'agent.create',
  'agent.update',
  'agent.delete',
  'calendar.create',
  'calendar.update',
  'calendar.delete',
  'event.create',
  'event.update',
  'event.delete',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'ical_subscription.create',
  'ical_subscription.update',
  'ical_subscription.delete',
  'rate_limit.exceeded',
] as const
export type AuditAction = (typeof auditActions)[number]

/** `resource` is the public identifier of what was changed. */
export function audited({ sql, clock }: App, actor: Actor, action: AuditAction, resource: string): Fragment {
  const { request } = actor
  const now = clock.now()
  return sql`
    insert into audit_entries (org_id, id, action, actor_key_prefix, agent_id, resource, ip, status, method, path,
      duration_ms, request_id, created_at)
    select ${actor.orgId}::uuid, ${newId()}::uuid, ${action}::text, ${actor.keyPrefix}::text, ${actor.agentId ?? null}::uuid,
      ${resource}::text, ${request.ip}::text, ${request.status}::smallint, ${request.method}::text, ${request.path}::text,
      ${now.getTime() - request.startedAt.getTime()}::integer, ${request.id}::text, ${now}::timestamptz
    from guard limit 1`
}
