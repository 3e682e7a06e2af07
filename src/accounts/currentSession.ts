// A session as its person sees it, and the organization that it acts in unless a request names another one.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { notFound } from '../errors.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { membershipOf } from './queries.ts'
import type { ChooseOrganizationBody } from './schema.ts'
import { chooseForAccount, chooseForSession, membershipGuard } from './writes.ts'

export const currentSession = (app: App, actor: Actor) => present(app, actor, actor.orgId, actor.member!)

/** The own organization of this session, and of the account's next sign-ins. */
export async function chooseOrganization(app: App, actor: Actor, body: ChooseOrganizationBody) {
  const { accountId } = actor.member!
  const orgId = decodeId('org', body.organization_id)
  const [membership] = orgId ? await membershipOf(app.sql, accountId, orgId) : []
  if (!orgId || !membership) throw unknown(body)
  const answer = await present(app, actor, orgId, membership)
  const { matched } = await commit(app, {
    guard: membershipGuard(app.sql, accountId, orgId),
    effects: [
      chooseForAccount(app.sql, accountId, orgId),
      chooseForSession(app.sql, actor.sessionId!, orgId),
      storeResponse(app, actor, answer),
    ],
  })
  if (!matched) throw unknown(body)
  return answer
}

const unknown = ({ organization_id }: ChooseOrganizationBody) =>
  notFound('organization', 'organization_id', organization_id)

async function present(app: App, actor: Actor, orgId: Uuid, member: { id: Uuid; role: string }) {
  const { hasPassword, secondFactor, expiresAt } = actor.session!
  const { until, methods } = actor.reauthentication!
  return {
    id: encodeId('ses', actor.sessionId!),
    account: { email: actor.account!, has_password: hasPassword },
    org: presentOrganization(await requireOrganization(app, encodeId('org', orgId))),
    member: { id: encodeId('mem', member.id), role: member.role },
    second_factor: secondFactor,
    reauthenticated_until: isoTimeOrNull(until && until > app.clock.now() ? until : null),
    reauthentication: [...methods],
    expires_at: isoTime(expiresAt),
  }
}
