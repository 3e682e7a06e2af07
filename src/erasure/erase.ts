// Deletes an organization. Once the statement has committed all access has ended: the organization, its keys and its sessions are
// gone, its calendars and webhooks are closed. Its rows are deleted later, in blocks (eraseOrganization.ts).
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { closeCalendars } from '../calendars/writes.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { revokeOfOrganization } from '../connections/revocationWrites.ts'
import { hasMembers, invalid } from '../errors.ts'
import { sendAllLater } from '../mails/mails.ts'
import { deleteMails } from '../mails/writes.ts'
import { farewellMail } from '../members/mails.ts'
import { asMember, findPeople, requireRole } from '../members/people.ts'
import { deleteOrganizationGuard } from '../organizations/writes.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { encodeId } from '../shapes/ids.ts'
import { dryRunEnd } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { closeWebhooks } from '../webhooks/writes.ts'
import { insertErasure } from './writes.ts'

/** Longer than a statement takes, so that rows of statements in progress are found. */
const restMs = 30_000

type People = NonNullable<Awaited<ReturnType<typeof findPeople>>>

/** Somebody who was alone there needs no mail. */
const farewells = ({ name, members }: People) =>
  members.length === 1 ? [] : members.map(({ email }) => farewellMail({ to: email, organization: name }))

/** By its only member. */
export const eraseAccount = (app: App, actor: Actor): Promise<void> =>
  erase(app, actor, ({ members }) => {
    if (members.length > 1) throw hasMembers()
  })

/** With all its members, each of whom gets a mail. `confirm`: its name, as somebody typed it. */
export const eraseOrganization = (app: App, actor: Actor, confirm: string | undefined): Promise<void> =>
  erase(app, actor, ({ name }) => {
    if (confirm !== name) throw invalid('confirm: must be the exact name of the organization.', 'confirm')
  })

/** Deleting twice has the effect of deleting once. `permit` throws if these people may not be left without the organization. */
async function erase(app: App, actor: Actor, permit: (people: People) => void): Promise<void> {
  const { orgId, request } = actor
  const { sql, clock } = app
  const now = clock.now()
  const dueAt = new Date(now.getTime() + restMs)
  await decide(app, { noun: 'organization', key: orgId }, async () => {
    const people = await findPeople(app, orgId)
    if (!people) return undefined
    // Another owner may have removed or demoted the one who asks in the meantime.
    requireRole(asMember(people, actor.member), 'owner')
    permit(people)
    return commitOrAgain(app, {
      guard: deleteOrganizationGuard(sql, { id: orgId, revision: people.revision }),
      effects: [
        insertErasure(sql, now, dueAt),
        closeCalendars(sql, now),
        closeWebhooks(sql, now),
        revokeOfOrganization(sql),
        deleteMails(sql),
        sendAllLater(app, farewells(people)),
        dryRunEnd(app, actor, undefined),
      ],
    })
  })
  await bumpEpoch(app, orgId)
  app.bell.ring([wakeup('erase', { orgId }, dueAt)])
  // The audit log of the organization is deleted as well, so this line is the only record.
  app.log.info({ action: 'account.delete', org_id: encodeId('org', orgId), request_id: request.id }, 'account deleted')
}
