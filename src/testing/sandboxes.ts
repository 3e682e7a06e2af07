// Organizations of agents that signed up by themselves, in the sandbox until they verify the code that was mailed.
import assert from 'node:assert/strict'
import { currentVersion } from './accounts.ts'
import type { Answer } from './answer.ts'
import { adminToken, type TestService } from './harness.ts'
import { assertRefused } from './refused.ts'
import { perFile, serviceTest } from './test.ts'

let nth = 0
/** Of a domain of its own, as `freshAddress` is another client: no limit is met by accident. */
export const freshEmail = () => `owner@domain${++nth}.example`
export const freshAddress = () => ({ 'x-forwarded-for': `198.51.${++nth >> 8}.${nth & 255}` })

export const sandboxTest = (env: Record<string, string> = {}) =>
  serviceTest({ env: { TRUSTED_PROXIES: 'loopback', ...env } })
    .extend('tos_version', perFile, ({ service }) => currentVersion(service))
    .extend('usual', perFile, ({ tos_version }) => (email: string) => ({ email, agent_name: 'Scout', tos_version }))
    .extend(
      'signUp',
      perFile,
      ({ call }) =>
        (body: object, headers: Record<string, string> = freshAddress()) =>
          call('POST', '/v1/agent/sign-up', { body, headers }),
    )
    .extend(
      'verify',
      perFile,
      ({ service }) =>
        (key: string, otp: unknown, process: Pick<TestService, 'call'> = service) =>
          process.call('POST', '/v1/agent/verify', { key, body: { otp } }),
    )
    .extend('makeSandbox', perFile, ({ call, signUp, usual }) => async () => {
      const email = freshEmail()
      const { status, body } = await signUp(usual(email))
      assert.equal(status, 200, JSON.stringify(body))
      // The set clock refills no bucket.
      const rate = { rate_limit_per_second: 10_000 }
      await call('PATCH', `/v1/admin/orgs/${body.org_id}`, { key: adminToken, body: rate })
      return { email, key: body.api_key as string, orgId: body.org_id as string, agentId: body.agent_id as string }
    })
    .extend('orgById', perFile, ({ call }) => async (id: string) => {
      const { body } = await call('GET', '/v1/admin/orgs?limit=200', { key: adminToken })
      return body.data.find((org: { id: string }) => org.id === id)
    })

export const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

export function assertGeneric(answer: Answer) {
  assertRefused(answer, 400, 'validation_error', { param: 'otp' })
  assert.match(answer.body.error.message, /^This code is wrong, has expired or was used up\./)
}
