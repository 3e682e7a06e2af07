// Console accounts for tests, made as a person makes them.

import assert from 'node:assert/strict'
import { adminToken, type TestService } from './harness.ts'
import { perFile, serviceTest } from './test.ts'

export const password = 'correct horse battery'

let nth = 0
/** One that nobody has. */
export const freshEmail = (name = 'person'): string => `${name}${++nth}@example.com`

export const currentVersion = async ({ call }: Pick<TestService, 'call'>): Promise<string> =>
  (await call('GET', '/v1/auth/terms/current')).body.version

type TestAccount = { email: string; orgId: string; token: string; cookie: string }

export async function makeAccount(
  { call }: Pick<TestService, 'call'>,
  { email = freshEmail(), ...body }: { email?: string; name?: string } = {},
): Promise<TestAccount> {
  const answer = await call('POST', '/v1/auth/signup', {
    body: { email, password, tos_version: await currentVersion({ call }), ...body },
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  return { email, orgId: answer.body.org.id, token: answer.body.token, cookie }
}

type Owner = { id: string; email: string; token: string; key: string }

/** Somebody who signed up, with a pro organization and its key. */
export async function makeOwner({ call }: Pick<TestService, 'call'>): Promise<Owner> {
  const { email, orgId, token } = await makeAccount({ call }, { email: freshEmail('owner') })
  const changes = { plan: 'pro', rate_limit_per_second: 100_000 }
  assert.equal((await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: changes })).status, 200)
  const made = await call('POST', '/v1/auth/keys', { key: token })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return { id: orgId, email, token, key: made.body.key }
}

/** `serviceTest` with owners of organizations and their exports. */
export const accountTest = () =>
  serviceTest()
    .extend(
      'makeOwner',
      perFile,
      ({ service }) =>
        () =>
          makeOwner(service),
    )
    .extend(
      'exported',
      perFile,
      ({ call }) =>
        (token: string) =>
          call('GET', '/v1/auth/export', { key: token }),
    )
