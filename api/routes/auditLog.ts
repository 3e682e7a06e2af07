import { readAuditLog } from '../../src/audit/log.ts'
import { auditLog, auditLogQuery } from '../../src/audit/schema.ts'
import { route } from '../http/route.ts'

export const auditLogRoutes = [
  route({
    method: 'get',
    path: '/v1/audit-log',
    tag: 'Audit log',
    operationId: 'readAuditLog',
    summary: 'Read the audit log',
    description:
      'Newest first, page by page: pass `pagination.next_cursor` as `cursor` until it is null. `from` and `to` are inclusive; a `from` before what the plan keeps is moved, and `range_clamped` says so. `action` is one exact name, such as `event.create`; `actor_key_prefix` the first 20 characters of a key. Proposals leave no entries.',
    access: 'organization',
    query: auditLogQuery,
    success: { status: 200, schema: auditLog },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => readAuditLog(app, actor, query),
  }),
]
