// Deleting an account. Once the statement has committed nobody gets at anything any more: the organization, its keys and
// its sessions are gone, its calendars and webhooks are closed. Its rows follow in blocks (remains.ts).
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commitParts } from '../changes/commitParts.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId } from '../shapes/ids.ts'
import { wakeErasure } from '../wakeups/jobs.ts'
import { closeCalendars, closeWebhooks, deleteOrganization, insertErasure } from './queries.ts'

/** Statements that were under way have ended by then, so that what they left is found. */
const restMs = 30_000

/** Doing it twice is doing it once. */
export async function eraseOrganization(app: App, { orgId, request }: Actor): Promise<void> {
  const { sql, clock } = app
  const now = clock.now()
  const dueAt = new Date(now.getTime() + restMs)
  await commitParts(app, deleteOrganization(sql, orgId), {
    erasure: insertErasure(sql, now, dueAt),
    calendars: closeCalendars(sql, now),
    webhooks: closeWebhooks(sql, now),
  })
  await bumpEpoch(app, orgId)
  app.bell.ring([wakeErasure(orgId, dueAt)])
  // Its audit log goes with it, so this line is all that tells of it.
  app.log.info({ action: 'account.delete', org_id: encodeId('org', orgId), request_id: request.id }, 'account deleted')
}
