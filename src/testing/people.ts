// Members of organizations, each with an account of their own.
import { type Role, roles } from '../actors/roles.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import { freshEmail, makeAccount } from './accounts.ts'
import { adminToken, type TestService } from './harness.ts'
import { linkTo } from './mailbox.ts'
import { perFile, serviceTest } from './test.ts'

/** `token`: of their session, which is in the organization. */
export type TestMember = { id: string; email: string; token: string; accountId: string; ownOrgId: string }

/** Somebody with an organization of their own who joins another one and goes there. Their membership is made as an invitation makes it. */
export async function addMember(service: TestService, orgId: string, role: Role): Promise<TestMember> {
  const { email, token, orgId: ownOrgId } = await makeAccount(service, { email: freshEmail(role) })
  const { sql, clock } = service.app
  const id = newId()
  const [account] = await sql<{ id: string }[]>`select id from accounts where email = ${email}`
  await sql`
    insert into memberships (org_id, id, account_id, role, joined_at)
    values (${decodeId('org', orgId)!}, ${id}, ${account!.id}, ${role}, ${clock.now()})`
  await sql`update organizations set revision = revision + 1 where id = ${decodeId('org', orgId)!}`
  await service.call('PATCH', '/v1/auth/session', { key: token, body: { organization_id: orgId } })
  return { id: encodeId('mem', id), email, token, accountId: account!.id, ownOrgId }
}

export async function proveAddress(service: TestService, { email, token }: { email: string; token: string }) {
  return service.call('POST', '/v1/auth/email/verify', { key: token, body: { token: await linkTo(service, email) } })
}

/** A pro organization whose founder has proven the address, and a member of each other role. */
export async function makeTeam(service: TestService) {
  const founder = await makeAccount(service, { email: freshEmail('owner') })
  await proveAddress(service, founder)
  await service.call('PATCH', `/v1/admin/orgs/${founder.orgId}`, {
    key: adminToken,
    body: { plan: 'pro', rate_limit_per_second: 100_000 },
  })
  const { body } = await service.call('GET', '/v1/auth/session', { key: founder.token })
  const owner = { ...founder, id: body.member.id as string }
  const others = roles.filter((role) => role !== 'owner')
  const [admin, developer, viewer] = await Promise.all(others.map((role) => addMember(service, founder.orgId, role)))
  return { orgId: founder.orgId, owner, admin: admin!, developer: developer!, viewer: viewer! }
}

export const peopleTest = () =>
  serviceTest().extend(
    'makeTeam',
    perFile,
    ({ service }) =>
      () =>
        makeTeam(service),
  )
