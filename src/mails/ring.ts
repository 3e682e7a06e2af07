// Mails that a change writes are rung for.
import { ring } from '../commit/effect.ts'
import type { Uuid } from '../shapes/ids.ts'
import { wakeup } from '../wakeups/jobs.ts'

/** Of effects that return `org_id, id, next_attempt_at`. */
export const mailsRing = ring<[orgId: Uuid, id: Uuid, dueAt: string][]>('mails', {
  found: (sql, rows) => sql`select jsonb_agg(jsonb_build_array(org_id, id, next_attempt_at)) from ${rows}`,
  after: (app, mails) =>
    app.bell.ring(mails.map(([orgId, id, dueAt]) => wakeup('mail', { orgId, id }, new Date(dueAt)))),
})
