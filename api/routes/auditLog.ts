import { readAuditLog } from '../../src/audit/log.ts'
import { auditLog, auditLogQuery } from '../../src/audit/schema.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const auditLogRoutes = [
  route({
    method: 'get',
    path: '/v1/audit-log',
    tag: 'Audit log',
    operationId: 'readAuditLog',
    summary: 'Read the audit log',
    description: prose(
      'Newest first, page by page: pass `pagination.next_cursor` as `cursor` until it is null.',
      '`from` and `to` are inclusive. A `from` older than the plan keeps is moved, and `range_clamped` is true.',
      '`action` is one exact name, such as `event.create`; `actor_key_prefix` is the first 20 characters of a key.',
      'Proposals leave no entries.',
    ),
    access: 'organization',
    role: 'developer',
    query: auditLogQuery,
    success: { status: 200, schema: auditLog },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => readAuditLog(app, actor, query),
  }),
]
