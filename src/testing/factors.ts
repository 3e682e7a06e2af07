// People with a second factor, and the authenticator app that they have it in.
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { makeAccount, password } from './accounts.ts'
import type { Answer } from './answer.ts'
import type { TestService } from './harness.ts'
import { sessionTest } from './sessions.ts'
import { perFile } from './test.ts'

const stepMs = 30_000

type Person = Awaited<ReturnType<typeof makeAccount>> & { secret: string; recoveryCodes: string[] }

/** The code that the app shows, `steps` later than now. */
export const codeOf = (service: Pick<TestService, 'clock' | 'app'>, secret: string, steps = 0): string =>
  new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) }).generate({
    timestamp: service.app.clock.now().getTime() + steps * stepMs,
  })

/** A code that the app does not show around now. */
export function wrongCodeOf(service: Pick<TestService, 'clock' | 'app'>, secret: string): string {
  const near = [-1, 0, 1].map((steps) => codeOf(service, secret, steps))
  return ['000000', '000001', '000002', '000003'].find((code) => !near.includes(code))!
}

export async function turnOnFactor({ call, ...service }: TestService, token: string) {
  const begun = await call('POST', '/v1/auth/factors/totp', { key: token })
  assert.equal(begun.status, 201, JSON.stringify(begun.body))
  const { secret } = begun.body
  const body = { code: codeOf(service, secret) }
  const confirmed = await call('POST', '/v1/auth/factors/totp/confirm', { key: token, body })
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))
  return { secret: secret as string, recoveryCodes: confirmed.body.recovery_codes as string[] }
}

/** `sessionTest` with people who have a second factor. Each step of the clock lets their apps show another code. */
export const factorTest = () =>
  sessionTest()
    .extend('makePerson', perFile, ({ service }) => async (): Promise<Person> => {
      const account = await makeAccount(service)
      const factor = await turnOnFactor(service, account.token)
      await service.clock.advance(stepMs)
      return { ...account, ...factor }
    })
    /** The challenge of a sign-in with the password. */
    .extend('challengeOf', perFile, ({ call }) => async ({ email }: Pick<Person, 'email'>): Promise<string> => {
      const { status, body } = await call('POST', '/v1/auth/signin', { body: { email, password } })
      assert.deepEqual([status, body.error.code], [401, 'second_factor_required'])
      return body.error.challenge
    })
    .extend(
      'sendCode',
      perFile,
      ({ call }) =>
        (challenge: string | undefined, code: string): Promise<Answer> =>
          call('POST', '/v1/auth/signin/factor', { body: { code, ...(challenge !== undefined && { challenge }) } }),
    )
