// Every mutation as a dry run: it changes nothing, and reports what the request itself then does.

import assert from 'node:assert/strict'
import { currentVersion, makeAccount, password } from '../src/testing/accounts.ts'
import {
  connectionMutationsOf,
  openAccounts,
  someProvider,
  waitingConnectionMutations,
} from '../src/testing/connectionMutations.ts'
import { assertDryRun } from '../src/testing/dryRuns.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../src/testing/factories.ts'
import { codeOf, turnOnFactor } from '../src/testing/factors.ts'
import { adminToken, type TestService } from '../src/testing/harness.ts'
import { invitationMutationsOf } from '../src/testing/invitations.ts'
import { codeTo } from '../src/testing/mailbox.ts'
import { type Asked, mutationsOf } from '../src/testing/mutations.ts'
import { memberMutationsOf } from '../src/testing/people.ts'
import { sandboxTest } from '../src/testing/sandboxes.ts'
import { perFile } from '../src/testing/test.ts'
import { eventTypes } from '../src/webhooks/catalog.ts'
import { isMutation } from './http/route.ts'
import { routes } from './routes.ts'

const test = sandboxTest(someProvider).extend('accounts', perFile, ({ service: _ }, { onCleanup }) =>
  openAccounts(onCleanup),
)

async function makeNamedKey({ call }: TestService, token: string, name: string): Promise<string> {
  return (await call('POST', '/v1/auth/keys', { key: token, body: { name } })).body.id
}

/** Those of sessions, codes and terms, and those that end what could ask again: the last come last. */
async function furtherMutationsOf(
  service: TestService,
  makeSandbox: () => Promise<{ email: string; key: string }>,
): Promise<Record<string, Asked>> {
  const { token, orgId } = await makeAccount(service)
  await service.call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'pro' } })
  const bare = await makeAccount(service)
  const { key } = await makeOrganization(service)
  const { body: made } = await service.call('POST', '/v1/auth/keys', { key: token })
  const agent = await makeAgent(service, made.key)
  const [edited, rotated, revoked] = await Promise.all(
    ['edited', 'rotated', 'revoked'].map((name) => makeNamedKey(service, token, name)),
  )
  const sandbox = await makeSandbox()
  const tos = { tos_version: await currentVersion(service) }
  const terms = { version: 'v9', effective_at: '2026-06-01', url: 'https://example.com/terms/v9', material: true }
  return {
    createOrganizationKey: { method: 'POST', path: '/v1/auth/keys', key: bare.token },
    regenerateOrganizationKey: {
      method: 'POST',
      path: '/v1/auth/keys/regenerate',
      key: token,
      body: { overlap_seconds: 60 },
    },
    endOrganizationKeyOverlap: { method: 'DELETE', path: '/v1/auth/keys/previous', key: token },
    updateOrganizationKey: { method: 'PATCH', path: `/v1/auth/keys/${edited}`, key: token, body: { name: 'Renamed' } },
    rotateOrganizationKey: {
      method: 'POST',
      path: `/v1/auth/keys/${rotated}/rotate`,
      key: token,
      body: { overlap_seconds: 60 },
    },
    revokeOrganizationKey: { method: 'DELETE', path: `/v1/auth/keys/${revoked}`, key: token },
    createAgentKeyFromConsole: {
      method: 'POST',
      path: '/v1/auth/keys/scoped',
      key: token,
      body: { agent_id: agent.id },
    },
    requestEmailLink: { method: 'POST', path: '/v1/auth/email/link', key: bare.token },
    verifyAgent: {
      method: 'POST',
      path: '/v1/agent/verify',
      key: sandbox.key,
      body: { otp: await codeTo(service, sandbox.email) },
    },
    acceptTerms: { method: 'PATCH', path: '/v1/auth/terms', key: token, body: tos },
    acceptTermsWithKey: { method: 'POST', path: '/v1/terms/accept', key, body: tos },
    publishTerms: { method: 'POST', path: '/v1/admin/terms', key: adminToken, body: terms },
    ...(await factorMutationsOf(service)),
    signOut: { method: 'POST', path: '/v1/auth/signout', key: bare.token },
    ...(await memberMutationsOf(service)),
    deleteAccount: { method: 'DELETE', path: '/v1/auth/account', key: token },
  }
}

/** Of people who are signed in: what they do to their sign-in. */
async function factorMutationsOf(service: TestService): Promise<Record<string, Asked>> {
  const [plain, confirming] = [await makeAccount(service), await makeAccount(service)]
  const [guarded, reset] = [await makeAccount(service), await makeAccount(service)]
  const { secret } = (await service.call('POST', '/v1/auth/factors/totp', { key: confirming.token })).body
  for (const { token } of [guarded, reset]) await turnOnFactor(service, token)
  for (let n = 0; n < 2; n++) await service.call('POST', '/v1/auth/signin', { body: { email: plain.email, password } })
  const [other] = (await service.call('GET', '/v1/auth/sessions', { key: plain.token })).body.sessions
  const of = ({ token: key }: { token: string }, method: string, path: string, body?: object): Asked => ({
    method,
    path: `/v1/auth/${path}`,
    key,
    ...(body && { body }),
  })
  return {
    beginTotp: of(plain, 'POST', 'factors/totp'),
    confirmTotp: of(confirming, 'POST', 'factors/totp/confirm', { code: codeOf(service, secret) }),
    createRecoveryCodes: of(guarded, 'POST', 'factors/recovery-codes'),
    deleteTotp: of(guarded, 'DELETE', 'factors/totp'),
    reauthenticateSession: of(plain, 'POST', 'reauthenticate', { password }),
    endReauthentication: of(plain, 'DELETE', 'reauthenticate'),
    endSession: of(plain, 'DELETE', `sessions/${other.id}`),
    endOtherSessions: of(plain, 'DELETE', 'sessions'),
    changePassword: of(plain, 'POST', 'password/change', { current_password: password, password: `${password}!` }),
    resetFactor: {
      method: 'POST',
      path: '/v1/admin/accounts/reset-factor',
      key: adminToken,
      body: { email: reset.email },
    },
  }
}

test('each mutation as a dry run changes nothing and tells what it does', async ({
  service,
  accounts,
  makeSandbox,
}) => {
  const asked = {
    ...(await mutationsOf(service)),
    ...(await invitationMutationsOf(service)),
    ...(await connectionMutationsOf(service, accounts)),
    ...(await furtherMutationsOf(service, makeSandbox)),
  }
  for (const key of new Set(Object.values(asked).map(({ key }) => key)))
    if (key.startsWith('svc_sk_')) await makeWebhook(service, key, 'https://example.com/all', eventTypes)
  const mutations = routes.filter(isMutation)
  const known = [...Object.keys(asked), ...waitingConnectionMutations]
  assert.deepEqual(known.toSorted(), mutations.map(({ operationId }) => operationId).toSorted())
  for (const [name, { method, path, key, body }] of Object.entries(asked)) {
    const { spends } = mutations.find(({ operationId }) => operationId === name)!
    // Tests of other files publish terms meanwhile.
    const current = body && 'tos_version' in body && { tos_version: await currentVersion(service) }
    const dry = await assertDryRun(service, name, { method, path, key, body: current ? { ...body, ...current } : body })
    if (spends) assert.deepEqual(dry.spends, { [spends]: 1 }, name)
  }
})
