// Organizations as the administrator sees them. A change bumps the epoch, so that it holds everywhere at once.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { forbidden, notFound, overloaded } from '../errors.ts'
import { sendLater } from '../mails/mails.ts'
import { activationMail } from '../mails/texts.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listed } from '../shapes/lists.ts'
import type { Fragment } from '../stores/postgres.ts'
import { presentOrganization } from './present.ts'
import {
  activatedOrganization,
  type Completion,
  changeOrganization,
  completeOrganization,
  type Holder,
  holderOfEmail,
  insertOrganization,
  liftSandbox,
  type OrganizationRow,
  organizationById,
  organizationCount,
  organizationsPage,
  verifyEmail,
} from './queries.ts'
import { isProven } from './rules.ts'
import type { OrganizationListQuery, UpdateOrganizationBody } from './schema.ts'

/**
 * The row of a new organization and the guard that inserts it, for whoever adds a key in the same statement. The guard
 * matches nothing when somebody with this address has signed up already; an administrator may repeat an address.
 */
export function newOrganization(
  app: App,
  given: NewOrganization,
  now: Date,
): { row: OrganizationRow; guard: Fragment } {
  const row: OrganizationRow = {
    id: newId(),
    plan: 'free',
    limits: {},
    rateLimitPerSecond: null,
    verificationStatus: null,
    emailVerified: false,
    isWaitlisted: false,
    waitlistedAt: null,
    acceptedTermsVersion: null,
    acceptedTermsAt: null,
    revision: 0,
    createdAt: now,
    updatedAt: now,
    ...given,
  }
  return { row, guard: insertOrganization(app.sql, row) }
}

export type { Holder }

type NewOrganization = Pick<OrganizationRow, 'name' | 'email' | 'signupSource'> & Partial<OrganizationRow>

/** The organization that an address leads to, if there is one. */
export const findByEmail = async (app: App, email: string): Promise<Holder | undefined> =>
  (await holderOfEmail(app.sql, email))[0]

export async function listOrganizations(app: App, query: OrganizationListQuery) {
  const [rows, [count]] = await Promise.all([
    organizationsPage(app.sql, query),
    organizationCount(app.sql, query.email),
  ])
  return listed(rows.map(presentOrganization), count?.total ?? 0, query)
}

const maxTries = 20

export async function updateOrganization(app: App, request: RequestContext, id: string, body: UpdateOrganizationBody) {
  for (let tries = 0; tries < maxTries; tries++) {
    const row = changedBy(body, await requireOrganization(app, id), app.clock.now())
    const { matched } = await commitParts(app, changeOrganization(app.sql, row), {
      audit: auditEntry(app, { orgId: row.id, keyPrefix: null, request }, 'org.update', encodeId('org', row.id)),
    })
    if (!matched) continue
    await bumpEpoch(app, row.id)
    return presentOrganization(row)
  }
  throw overloaded('Too many changes at once to this organization. Try again.')
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

/** Off the waitlist, and the owner is told; an organization that is not on it stays as it is. */
export async function activateOrganization(app: App, request: RequestContext, id: string) {
  const { id: uuid, email } = await requireOrganization(app, id)
  const { matched } = await commitParts(app, activatedOrganization(app.sql, uuid, app.clock.now()), {
    mails: sendLater(app, activationMail(app, email)),
    audit: auditEntry(app, { orgId: uuid, keyPrefix: null, request }, 'org.update', id),
  })
  if (matched) await bumpEpoch(app, uuid)
  return presentOrganization(await requireOrganization(app, id))
}

export async function requireOrganization(app: App, id: string): Promise<OrganizationRow> {
  const uuid = decodeId('org', id)
  const [row] = uuid ? await organizationById(app.sql, uuid) : []
  if (!row) throw notFound('organization', null, id)
  return row
}

/** Refuses a key to an organization that nobody has proven the address of, where the installation asks for that. */
export async function requireProvenAddress(app: App, orgId: Uuid): Promise<void> {
  if (!app.config.requireProvenAddress) return
  const organization = await requireOrganization(app, encodeId('org', orgId))
  if (isProven(organization)) return
  throw forbidden(
    'Keys are made once the address of the organization is proven. Open the link that was mailed to it; POST /v1/auth/email/link mails another one.',
  )
}

/** Effects of other nouns' changes, on the organization that the guard returned as `id`. */
export const verifiedEmail = ({ sql }: App, now: Date): Fragment => verifyEmail(sql, now)
export const completed = ({ sql }: App, completion: Completion, now: Date): Fragment =>
  completeOrganization(sql, completion, now)
export const liftedSandbox = ({ sql, clock }: App): Fragment => liftSandbox(sql, clock.now())
