// The cookie of a sign-in that waits for the second factor. Programs send the challenge in the body instead.
import type { IncomingHttpHeaders } from 'node:http'
import { challengeMs } from '../../src/accounts/challenges.ts'
import type { App } from '../../src/app.ts'
import { ServiceError } from '../../src/errors.ts'
import { rootOf } from '../http/root.ts'
import { cookie, cookieOf } from './session.ts'

const name = 'svc_factor'
/** With the prefix that a proxy may add. */
const pathOf = (app: App) => `${rootOf(app)}/v1/auth/signin`

const challengeCookie = (app: App, challenge: string): string =>
  cookie(app, name, challenge, { maxAgeMs: challengeMs, path: pathOf(app) })

export const forgottenChallenge = (app: App): string => cookie(app, name, '', { maxAgeMs: 0, path: pathOf(app) })

export const sentChallenge = (headers: IncomingHttpHeaders): string | undefined => cookieOf(headers, name) || undefined

/**
 * Signs in. If that waits for a code, the error has the cookie of the challenge, for browsers; or `elsewhere`, given that cookie, answers
 * in its place.
 */
export async function challenging<T>(app: App, work: () => Promise<T>, elsewhere?: (cookie: string) => T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const challenge = challengeIn(error)
    if (challenge === undefined) throw error
    const sent = challengeCookie(app, challenge)
    if (elsewhere) return elsewhere(sent)
    const { type, message, detail } = error as ServiceError
    throw new ServiceError(type, message, { ...detail, cookie: sent })
  }
}

function challengeIn(error: unknown): string | undefined {
  if (!(error instanceof ServiceError) || error.detail.code !== 'second_factor_required') return undefined
  return ((error.detail.help ?? {}) as { challenge?: string }).challenge
}
