// Members of organizations, each with an account of their own.
import type { Role } from '../actors/roles.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import { currentVersion, freshEmail, makeAccount } from './accounts.ts'
import { adminToken, type TestService } from './harness.ts'
import { linkTo } from './mailbox.ts'
import type { Asked } from './mutations.ts'
import { perFile, serviceTest } from './test.ts'

/** `token`: of their session, which is in the organization. */
type TestMember = { id: string; email: string; token: string; accountId: string; ownOrgId: string }

/** Somebody with an organization of their own who joins another one and goes there. Their membership is made as an invitation makes it. */
async function addMember(service: TestService, orgId: string, role: Role): Promise<TestMember> {
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
  const admin = await addMember(service, founder.orgId, 'admin')
  const developer = await addMember(service, founder.orgId, 'developer')
  const viewer = await addMember(service, founder.orgId, 'viewer')
  return { orgId: founder.orgId, owner, admin, developer, viewer }
}

export const peopleTest = () =>
  serviceTest().extend(
    'makeTeam',
    perFile,
    ({ service }) =>
      () =>
        makeTeam(service),
  )

/** By the name of the operation: what members do, each asked by somebody who stays able to ask. */
export async function memberMutationsOf(service: TestService): Promise<Record<string, Asked>> {
  const { orgId, owner, developer, viewer } = await makeTeam(service)
  const name = 'Renamed'
  const at = (method: string, path: string, key: string, body?: object): Asked => ({
    method,
    path,
    key,
    ...(body && { body }),
  })
  const opened = { name: 'Another', tos_version: await currentVersion(service) }
  return {
    chooseOrganization: at('PATCH', '/v1/auth/session', owner.token, { organization_id: orgId }),
    openOrganization: at('POST', '/v1/auth/organizations', owner.token, opened),
    updateMember: at('PATCH', `/v1/auth/members/${developer.id}`, owner.token, { role: 'viewer' }),
    removeMember: at('DELETE', `/v1/auth/members/${viewer.id}`, owner.token),
    updateOwnOrganization: at('PATCH', '/v1/auth/organization', owner.token, { name }),
    deleteMe: at('DELETE', '/v1/auth/me', (await addGuest(service, orgId)).token),
    deleteOrganization: at('DELETE', `/v1/auth/organization?confirm=${name}`, owner.token),
  }
}

export const memberMutations = [
  ...['chooseOrganization', 'openOrganization', 'updateMember', 'removeMember', 'updateOwnOrganization'],
  ...['deleteMe', 'deleteOrganization'],
]

/** A member without an organization of their own. */
export async function addGuest(service: TestService, orgId: string, role: Role = 'viewer'): Promise<TestMember> {
  const guest = await addMember(service, orgId, role)
  const headers = { 'x-organization-id': guest.ownOrgId }
  await service.call('DELETE', '/v1/auth/account', { key: guest.token, headers })
  return guest
}
