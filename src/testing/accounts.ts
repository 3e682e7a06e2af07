// Console accounts for tests, made as a person makes them.
import assert from 'node:assert/strict'
import type { TestService } from './harness.ts'

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
