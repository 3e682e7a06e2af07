// Where organizations come into being, each with its own key in the same statement.
import type { App } from '../app.ts'
import { commitParts } from '../changes/commitParts.ts'
import { insertKey, mintKey } from '../keys/mint.ts'
import { newOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import type { CreateOrganizationBody } from '../organizations/schema.ts'

/** By an administrator. The key is shown only here. */
export async function openOrganization(app: App, body: CreateOrganizationBody) {
  const now = app.clock.now()
  const given = {
    name: body.name,
    email: body.email,
    plan: body.plan,
    limits: body.limits ?? {},
    rateLimitPerSecond: body.rate_limit_per_second ?? null,
    signupSource: 'admin',
  }
  const { row, guard } = newOrganization(app, given, now)
  const key = mintKey('svc_sk_', now)
  await commitParts(app, guard, { key: insertKey(app.sql, { ...key, orgId: row.id, agentId: null, label: null }) })
  return { org: presentOrganization(row), api_key: key.secret }
}
