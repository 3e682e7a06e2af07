// People who invite others to their organization, and people who follow the links.
import assert from 'node:assert/strict'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { currentVersion, freshEmail, makeAccount, password } from './accounts.ts'
import { guestEnv, newAddress } from './guests.ts'
import { adminToken, type TestService } from './harness.ts'
import { linkTo, mailsTo } from './mailbox.ts'
import { serviceTest } from './test.ts'

export const invitationsPath = '/v1/auth/invitations'

/** Everybody comes from an address of their own: the doors to a token limit how often one network may try. */
const elsewhere = () => ({ 'x-forwarded-for': newAddress() })

type Person = { email: string; token: string }
type Team = Person & { orgId: string }

/** An organization whose owner has proven its address. */
export async function makeTeam(service: TestService, changes: object = { plan: 'pro' }): Promise<Team> {
  const { email, orgId, token } = await makeAccount(service, { email: freshEmail('owner'), name: 'Example Robotics' })
  const given = await service.call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: changes })
  assert.equal(given.status, 200, JSON.stringify(given.body))
  const body = { token: await linkTo(service, email) }
  const proven = await service.call('POST', '/v1/auth/email/verify', { key: token, body })
  assert.equal(proven.status, 200, JSON.stringify(proven.body))
  return { email, orgId, token }
}

/** A new session, which has just shown who it is. */
export async function signIn({ call }: Pick<TestService, 'call'>, email: string): Promise<string> {
  const { status, body } = await call('POST', '/v1/auth/signin', { body: { email, password }, headers: elsewhere() })
  assert.equal(status, 200, JSON.stringify(body))
  return body.token
}

export const invite = ({ call }: Pick<TestService, 'call'>, { token }: Person, email: string, role = 'developer') =>
  call('POST', invitationsPath, { key: token, body: { email, role } })

/** The token in the last mail of an invitation to this address. */
export async function invitationTo(service: TestService, email: string): Promise<string> {
  const mails = (await mailsTo(service, email)).filter(({ text }) => text.includes('/invitations/'))
  return /^http\S+\/invitations\/([\w-]{43})$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}

/** A new invitation, and the token that was mailed. */
export async function makeInvitation(service: TestService, by: Person, email = freshEmail('invited'), role?: string) {
  const { status, body } = await invite(service, by, email, role)
  assert.equal(status, 201, JSON.stringify(body))
  const token = await invitationTo(service, email)
  assert.match(token, /^[\w-]{43}$/)
  return { id: body.id as string, email, token, body }
}

/** `body` beside the token; `key`: the session that accepts. */
export const accept = (
  { call }: Pick<TestService, 'call'>,
  token: unknown,
  { key, ...body }: { key?: string; password?: string; tos_version?: string } = {},
) => call('POST', `${invitationsPath}/accept`, { ...(key && { key }), body: { token, ...body }, headers: elsewhere() })

export const lookUp = ({ call }: Pick<TestService, 'call'>, token: unknown) =>
  call('POST', `${invitationsPath}/lookup`, { body: { token }, headers: elsewhere() })

export const signUpWith = async (service: Pick<TestService, 'call'>, token: unknown) =>
  accept(service, token, { password, tos_version: await currentVersion(service) })

/** A new person who joins by an invitation. */
export async function join(service: TestService, team: Person, role: string): Promise<Person & { memberId: string }> {
  const { token, email } = await makeInvitation(service, team, undefined, role)
  const joined = await signUpWith(service, token)
  assert.equal(joined.status, 201, JSON.stringify(joined.body))
  return { email, token: joined.body.token, memberId: joined.body.member.id }
}

/** The organizations that an address belongs to, in the order of joining, each with the role there. */
export const membershipsOf = async ({ app }: TestService, email: string): Promise<[orgId: string, role: string][]> => {
  const rows = await app.sql<{ orgId: Uuid; role: string }[]>`
    select m.org_id, m.role
    from memberships m
    join accounts a on a.id = m.account_id
    where a.email = ${email}
    order by m.joined_at, m.id`
  return rows.map(({ orgId, role }) => [encodeId('org', orgId), role])
}

/** As `mutationsOf`: a request of each mutation of invitations. */
export async function invitationMutationsOf(service: TestService) {
  const team = await makeTeam(service)
  const [resent, revoked] = [await makeInvitation(service, team), await makeInvitation(service, team)]
  const at = (method: string, path: string, body?: object) => ({ method, path, key: team.token, ...(body && { body }) })
  return {
    createInvitation: at('POST', invitationsPath, { email: freshEmail(), role: 'viewer' }),
    resendInvitation: at('POST', `${invitationsPath}/${resent.id}/resend`),
    revokeInvitation: at('DELETE', `${invitationsPath}/${revoked.id}`),
  }
}

export const invitationTest = () =>
  serviceTest({ env: guestEnv }).extend('team', ({ service }) => makeTeam(service, { plan: 'custom' }))
