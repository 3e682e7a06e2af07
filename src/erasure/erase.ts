// Deletes an account. Once the statement has committed all access has ended: the organization, its keys and its sessions are
// gone, its calendars and webhooks are closed. Its rows are deleted later, in blocks (eraseOrganization.ts).
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { closeCalendars } from '../calendars/writes.ts'
import { commit } from '../commit/commit.ts'
import { revokeOfOrganization } from '../connections/revocationWrites.ts'
import { deleteOrganizationGuard } from '../organizations/writes.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId } from '../shapes/ids.ts'
import { dryRunEnd } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { closeWebhooks } from '../webhooks/writes.ts'
import { insertErasure } from './writes.ts'

/** Longer than a statement takes, so that rows of statements in progress are found. */
const restMs = 30_000

/** Deleting an account twice has the effect of deleting it once. */
export async function eraseOrganization(app: App, actor: Actor): Promise<void> {
  const { orgId, request } = actor
  const { sql, clock } = app
  const now = clock.now()
  const dueAt = new Date(now.getTime() + restMs)
  await commit(app, {
    guard: deleteOrganizationGuard(sql, orgId),
    effects: [
      insertErasure(sql, now, dueAt),
      closeCalendars(sql, now),
      closeWebhooks(sql, now),
      revokeOfOrganization(sql),
      dryRunEnd(app, actor, undefined),
    ],
  })
  await bumpEpoch(app, orgId)
  app.bell.ring([wakeup('erase', { orgId }, dueAt)])
  // The audit log of the organization is deleted as well, so this line is the only record.
  app.log.info({ action: 'account.delete', org_id: encodeId('org', orgId), request_id: request.id }, 'account deleted')
}
