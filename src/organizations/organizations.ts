// Organizations as the administrator sees them. A change bumps the epoch, so that every process applies it at once.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { forbidden, notFound } from '../errors.ts'
import { sendAllLater, sendWaitingMails } from '../mails/mails.ts'
import { activationMail } from '../mails/texts.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import { commitResponse, storeResponse } from '../storedResponses/storeResponse.ts'
import { presentOrganization } from './present.ts'
import { holderOfEmail, organizationById, organizationCount, organizationsPage, ownerAddresses } from './queries.ts'
import type { Holder, OrganizationRow } from './row.ts'
import { isVerified } from './rules.ts'
import type { OrganizationListQuery, UpdateOrganizationBody } from './schema.ts'
import { activateOrganizationGuard, changeOrganizationGuard, openPagesGuard } from './writes.ts'

type NewOrganization = Pick<OrganizationRow, 'name' | 'email' | 'signupSource'> & Partial<OrganizationRow>

/** The row of a new organization, for `insertOrganizationGuard`. */
export const newOrganization = (given: NewOrganization, now: Date): OrganizationRow => ({
  id: newId(),
  plan: 'free',
  limits: {},
  rateLimitPerSecond: null,
  verificationStatus: null,
  emailVerified: false,
  isWaitlisted: false,
  waitlistedAt: null,
  pagesClosedAt: null,
  acceptedTermsVersion: null,
  acceptedTermsAt: null,
  sharesAddress: false,
  requireSecondFactor: false,
  revision: 0,
  createdAt: now,
  updatedAt: now,
  ...given,
})

/** The organization that has this e-mail address. */
export const findByEmail = async (app: App, email: string): Promise<Holder | undefined> =>
  (await holderOfEmail(app.sql, email))[0]

export async function listOrganizations(app: App, query: OrganizationListQuery) {
  const [rows, [count]] = await Promise.all([organizationsPage(app.sql, query), organizationCount(app.sql, query)])
  return listPage(rows.map(presentOrganization), count?.total ?? 0, query)
}

export async function updateOrganization(app: App, request: RequestContext, id: string, body: UpdateOrganizationBody) {
  const { id: orgId } = await requireOrganization(app, id)
  return decide(app, { noun: 'organization', key: orgId }, async () => {
    const row = changedBy(body, await requireOrganization(app, id), app.clock.now())
    const organization = presentOrganization(row)
    const { matched } = await commit(app, {
      guard: changeOrganizationGuard(app.sql, row),
      effects: [
        auditEntry(app, { orgId, keyPrefix: null, request }, 'org.update', organization.id),
        storeResponse(app, { request }, organization),
        ...(row.isWaitlisted ? [] : [sendWaitingMails(app, orgId)]),
      ],
    })
    if (!matched) return again
    await bumpEpoch(app, orgId)
    return organization
  })
}

function changedBy(body: UpdateOrganizationBody, before: OrganizationRow, now: Date): OrganizationRow {
  const isWaitlisted = body.is_waitlisted ?? before.isWaitlisted
  const plan = body.plan ?? before.plan
  return {
    ...before,
    plan,
    limits: body.limits ?? before.limits,
    rateLimitPerSecond:
      body.rate_limit_per_second === undefined ? before.rateLimitPerSecond : body.rate_limit_per_second,
    // A plan given by an administrator lifts the sandbox for good.
    verificationStatus:
      before.verificationStatus && plan !== 'free-agent-unverified' ? 'verified' : before.verificationStatus,
    isWaitlisted,
    waitlistedAt: isWaitlisted ? (before.waitlistedAt ?? now) : before.waitlistedAt,
    updatedAt: now,
  }
}

/** Opens or closes all its public pages, for an operator; does nothing if they are so already. Its mails to guests wait meanwhile. */
export async function openPages(app: App, request: RequestContext, id: string, isOpen: boolean): Promise<void> {
  const { id: orgId } = await requireOrganization(app, id)
  const closedAt = isOpen ? null : app.clock.now()
  await commit(app, {
    guard: openPagesGuard(app.sql, orgId, closedAt),
    effects: [
      auditEntry(app, { orgId, keyPrefix: null, request }, 'org.update', id),
      ...(isOpen ? [sendWaitingMails(app, orgId)] : []),
    ],
  })
}

/** Takes the organization off the waitlist and mails its owners; does nothing if it is not on it. */
export async function activateOrganization(app: App, request: RequestContext, id: string) {
  const before = await requireOrganization(app, id)
  const { id: orgId } = before
  const owners = await addressesOfOwners(app, orgId)
  const now = app.clock.now()
  const organization = presentOrganization({ ...before, isWaitlisted: false, updatedAt: now })
  const { matched } = await commit(app, {
    guard: activateOrganizationGuard(app.sql, orgId, now),
    effects: [
      sendAllLater(
        app,
        owners.map((to) => activationMail(app, to)),
      ),
      sendWaitingMails(app, orgId),
      auditEntry(app, { orgId, keyPrefix: null, request }, 'org.update', id),
      storeResponse(app, { request }, organization),
    ],
  })
  if (matched) {
    await bumpEpoch(app, orgId)
    return organization
  }
  const unchanged = presentOrganization(await requireOrganization(app, id))
  await commitResponse(app, { request }, unchanged)
  return unchanged
}

/** Where mails to the owner go. */
export const addressesOfOwners = async ({ sql }: App, orgId: Uuid): Promise<string[]> =>
  (await ownerAddresses(sql, orgId)).map(({ email }) => email)

export async function requireOrganization(app: App, id: string): Promise<OrganizationRow> {
  const uuid = decodeId('org', id)
  const [row] = uuid ? await organizationById(app.sql, uuid) : []
  if (!row) throw notFound('organization', null, id)
  return row
}

/** Where the installation asks for it, an organization gets keys only once its address is proven. */
export async function requireProvenAddress(app: App, orgId: Uuid): Promise<void> {
  if (!app.config.requireProvenAddress) return
  const organization = await requireOrganization(app, encodeId('org', orgId))
  if (isVerified(organization)) return
  throw forbidden(
    'The address of the organization must be proven before keys are made. Open the link that was mailed to it; POST /v1/auth/email/link mails another one.',
  )
}
