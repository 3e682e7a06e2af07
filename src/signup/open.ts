// An administrator makes an organization, with its own key in the same statement.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { mintKey } from '../keys/mint.ts'
import { insertKey } from '../keys/writes.ts'
import { newOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import type { CreateOrganizationBody } from '../organizations/schema.ts'
import { insertOrganizationGuard } from '../organizations/writes.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'

/** The answer is the only place that shows the key. */
export async function openOrganization(app: App, request: RequestContext, body: CreateOrganizationBody) {
  const now = app.clock.now()
  const given = {
    name: body.name,
    email: body.email,
    plan: body.plan,
    limits: body.limits ?? {},
    rateLimitPerSecond: body.rate_limit_per_second ?? null,
    signupSource: 'admin',
  }
  const row = newOrganization(given, now)
  const key = mintKey('svc_sk_', now)
  const opened = { org: presentOrganization(row), api_key: key.secret }
  await commit(app, {
    guard: insertOrganizationGuard(app.sql, row),
    effects: [
      insertKey(app.sql, { ...key, orgId: row.id }),
      storeResponse(app, { request }, opened, { made: [opened.org.id, key.secret] }),
    ],
  })
  return opened
}
