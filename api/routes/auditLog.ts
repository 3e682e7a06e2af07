import { readAuditLog } from '../../src/audit/log.ts'
import { auditLog, auditLogQuery } from '../../src/audit/schema.ts'
import { route } from '../route.ts'

export const auditLogRoutes = [
  route({
    method: 'get',
    path: '/v1/audit-log',
    tag: 'Audit log',
    summary: 'Read the audit log',
    description: "Newest first, page by page with `cursor`. `from` reaches no further back than the plan's retention.",
    access: 'organization',
    query: auditLogQuery,
    success: { status: 200, schema: auditLog },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => readAuditLog(app, actor, query),
  }),
]
