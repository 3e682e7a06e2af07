// Organizations as the administrator sees them. A change bumps the epoch, so that it holds everywhere at once.
import type { RequestContext } from '../actor.ts'
import type { App } from '../app.ts'
import { audited } from '../audit/record.ts'
import { commit } from '../change.ts'
import type { Fragment } from '../db.ts'
import { notFound } from '../errors.ts'
import { decodeId, newId } from '../ids.ts'
import { listed } from '../lists.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { presentOrganization } from './present.ts'
import {
  changeOrganization,
  insertOrganization,
  type OrganizationRow,
  organizationById,
  organizationCount,
  organizationsPage,
} from './queries.ts'
import type { CreateOrganizationBody, OrganizationListQuery, UpdateOrganizationBody } from './schema.ts'

/** The row of a new organization and the guard that inserts it, for whoever adds a key in the same statement. */
export function newOrganization(app: App, body: CreateOrganizationBody): { row: OrganizationRow; guard: Fragment } {
  const now = app.clock.now()
  const row: OrganizationRow = {
    id: newId(),
    name: body.name,
    email: body.email,
    plan: body.plan,
    limits: body.limits ?? {},
    rateLimitPerSecond: body.rate_limit_per_second ?? null,
    verificationStatus: null,
    signupSource: 'admin',
    emailVerified: false,
    isWaitlisted: false,
    waitlistedAt: null,
    acceptedTermsVersion: null,
    acceptedTermsAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return { row, guard: insertOrganization(app.sql, row) }
}

export async function listOrganizations(app: App, query: OrganizationListQuery) {
  const [rows, [count]] = await Promise.all([
    organizationsPage(app.sql, query),
    organizationCount(app.sql, query.email),
  ])
  return listed(rows.map(presentOrganization), count?.total ?? 0, query)
}

export async function updateOrganization(app: App, request: RequestContext, id: string, body: UpdateOrganizationBody) {
  const before = await requireOrganization(app, id)
  const now = app.clock.now()
  const isWaitlisted = body.is_waitlisted ?? before.isWaitlisted
  const plan = body.plan ?? before.plan
  const row: OrganizationRow = {
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
  await commit(app, changeOrganization(app.sql, row), {
    audit: audited(app, { ...nobody, orgId: row.id, request }, 'org.update', presentOrganization(row).id),
  })
  await bumpEpoch(app, row.id)
  return presentOrganization(row)
}

/** The acting party of an administrator's change: no key of the organization. */
const nobody = { plan: 'custom', limits: {}, periodStart: new Date(0), periodEnd: new Date(0), keyPrefix: null }

export async function requireOrganization(app: App, id: string): Promise<OrganizationRow> {
  const uuid = decodeId('org', id)
  const [row] = uuid ? await organizationById(app.sql, uuid) : []
  if (!row) throw notFound('organization')
  return row
}
