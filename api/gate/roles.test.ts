// Roles: the least one of every route that a session reaches. A route without a row fails.
import assert from 'node:assert/strict'
import { isAtLeast, type Role, roles } from '../../src/actors/roles.ts'
import { endWaits } from '../../src/changeFeed/waits.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { makeTeam } from '../../src/testing/people.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { leastRole, takesKeys } from '../http/route.ts'
import { routes } from '../routes.ts'

const test = serviceTest().extend('team', perFile, ({ service }) => makeTeam(service))

const own = [
  ...['POST /v1/auth/signout', 'GET /v1/auth/me', 'DELETE /v1/auth/me', 'POST /v1/auth/email/link'],
  ...['GET /v1/auth/session', 'PATCH /v1/auth/session', 'GET /v1/auth/memberships', 'POST /v1/auth/organizations'],
  ...['GET', 'DELETE'].map((method) => `${method} /v1/auth/sessions`),
  ...['DELETE /v1/auth/sessions/:id', 'POST /v1/auth/password/change', 'GET /v1/auth/factors'],
  ...['POST', 'DELETE'].map((method) => `${method} /v1/auth/reauthenticate`),
  ...['POST /v1/auth/factors/totp', 'POST /v1/auth/factors/totp/confirm', 'DELETE /v1/auth/factors/totp'],
  ...['POST /v1/auth/factors/recovery-codes', 'POST /connect/signout'],
]

/** Besides reading: their own calendars. */
const viewers = [
  ...['start', 'caldav'].map(
    (way) => `POST /v1/calendar-connections/${way === 'start' ? 'oauth/:provider/start' : way}`,
  ),
  ...['PATCH', 'DELETE'].map((method) => `${method} /v1/calendar-connections/:id`),
  ...['refresh', 'reauthorize', 'pause', 'resume'].map((verb) => `POST /v1/calendar-connections/:id/${verb}`),
  ...['POST /v1/availability-grants', 'PATCH /v1/availability-grants/:id', 'DELETE /v1/availability-grants/:id'],
  ...['POST /connect/connections/:id/:action', 'POST /connect/links/:id'],
]

/** Besides changing what the organization has: its logs. */
const developers = ['GET /v1/audit-log', 'GET /v1/requests']

const admins = [
  ...['PATCH', 'DELETE'].map((method) => `${method} /v1/auth/keys/:id`),
  ...['POST /v1/auth/keys/:id/rotate', 'DELETE /v1/auth/keys/previous'],
  ...['POST /v1/auth/keys', 'POST /v1/auth/keys/regenerate', 'POST /v1/agent/verify'],
  ...['POST /v1/terms/accept', 'PATCH /v1/auth/terms', 'GET /v1/auth/export'],
  ...['POST /v1/auth/invitations', 'GET /v1/auth/invitations', 'POST /v1/auth/invitations/:id/resend'],
  ...[
    'DELETE /v1/auth/invitations/:id',
    'PATCH /v1/auth/members/:id',
    'DELETE /v1/auth/members/:id',
    'PATCH /v1/auth/organization',
  ],
]

const owners = ['DELETE /v1/auth/account', 'DELETE /v1/auth/organization']

const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`
const gated = routes.filter(({ access }) => access !== 'public' && access !== 'admin')

/** For sessions alone, and neither about the own account nor about calendars of people. */
const listed = (name: string): Role | 'self' | undefined => {
  if (own.includes(name)) return 'self'
  if (viewers.includes(name)) return 'viewer'
  if (developers.includes(name)) return 'developer'
  if (admins.includes(name)) return 'admin'
  return owners.includes(name) ? 'owner' : undefined
}

/** A new route under these paths needs a row above. */
const needsRow =
  /^\w+ \/(v1\/auth|v1\/terms|v1\/agent\/|v1\/audit-log|v1\/requests|connect|v1\/calendar-connections|v1\/availability-grants)/
const plainRows = [
  ...[
    'GET /v1/auth/checklist',
    'POST /v1/auth/keys/scoped',
    'GET /v1/auth/members',
    'GET /v1/auth/organization',
    'GET /v1/auth/keys',
  ],
  ...['GET /connect', 'GET /connect/links/:id', 'GET /v1/calendar-connections', 'GET /v1/calendar-connections/:id'],
  ...[
    'GET /v1/calendar-connections/:id/external-calendars',
    'GET /v1/availability-grants',
    'GET /v1/availability-grants/:id',
  ],
]

const leastOf = (name: string): Role => {
  const least = listed(name) ?? (name.startsWith('GET') ? 'viewer' : 'developer')
  return least === 'self' ? 'viewer' : least
}

test('every route has its least role, and every row a route', () => {
  const names = gated.map(nameOf)
  for (const name of [...own, ...viewers, ...developers, ...admins, ...owners, ...plainRows])
    assert.ok(names.includes(name), name)
  for (const route of gated) {
    const name = nameOf(route)
    assert.ok(!needsRow.test(name) || listed(name) || plainRows.includes(name), `${name} has no row`)
    assert.equal(leastRole(route), leastOf(name), name)
    assert.equal(route.role === 'self', own.includes(name), name)
  }
})

/** Ids of nothing: the role is judged before anything is looked for. */
const filled = (path: string) => path.replaceAll(/:\w+/g, 'none')

for (const route of gated) {
  const name = nameOf(route)
  test(`${name} refuses exactly the roles below its own`, async ({ service, call, team }) => {
    endWaits(service.app)
    const { method, path } = route
    const least = leastOf(name)
    for (const role of roles) {
      const key = team[role].token
      const isPermitted = isAtLeast(role, least)
      // A dry run does nothing, so that the member stays who they are.
      const query = takesKeys(route) ? '?dry_run=true' : ''
      const answer = await call(method.toUpperCase(), `${filled(path)}${query}`, { key, redirect: 'manual' })
      const where = `${role} ${answer.status} ${JSON.stringify(answer.body)}`
      if (isPermitted) assert.notEqual(answer.body?.error?.code, 'role', where)
      else assertRefused(answer, 403, 'forbidden', { code: 'role', required_role: least })
      if (isPermitted || !takesKeys(route)) continue
      const real = await call(method.toUpperCase(), filled(path), {
        key,
        raw: '{',
        headers: { 'idempotency-key': 'with blanks' },
        redirect: 'manual',
      })
      assertRefused(real, 403, 'forbidden', { code: 'role', required_role: least })
    }
  })
}

test('a new role holds with the next request on every process, and refusals are counted by role', async ({
  service,
  call,
  second,
}) => {
  const { owner, developer } = await makeTeam(service)
  const body = { name: 'New', type: 'ai' }
  const create = (process: Pick<typeof service, 'call'>) =>
    process.call('POST', '/v1/agents', { key: developer.token, body })
  assert.equal((await create(service)).status, 201)
  const changed = await call('PATCH', `/v1/auth/members/${developer.id}`, {
    key: owner.token,
    body: { role: 'viewer' },
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const before = await refusals(service)
  for (const process of [service, second]) {
    assertRefused(await create(process), 403, 'forbidden', { code: 'role', required_role: 'developer' })
  }
  assert.equal((await refusals(service)) - before, 1)
})

async function refusals({ app }: TestService): Promise<number> {
  const { values } = await app.metrics.roleRefusals.get()
  return values.find(({ labels }) => labels.role === 'viewer')?.value ?? 0
}

test('an API key has no role', async ({ call, key }) => {
  const answer = await call('POST', '/v1/agents', {
    key,
    body: { name: 'New', type: 'ai' },
    headers: { 'x-organization-id': 'org_none' },
  })
  assert.equal(answer.status, 201)
})
