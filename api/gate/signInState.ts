// The cookie that ties the two requests of a sign-in through a provider to one browser.
import type { IncomingHttpHeaders } from 'node:http'
import { openState, type SignInState, stateMs } from '../../src/accounts/state.ts'
import type { App } from '../../src/app.ts'
import { invalid } from '../../src/errors.ts'
import { rootOf } from '../http/root.ts'
import { cookie, cookieOf } from './session.ts'

const name = 'svc_oauth'
/** With the prefix that a proxy may add. */
const pathOf = (app: App) => `${rootOf(app)}/v1/auth/oauth`

export const stateCookie = (app: App, sealed: string): string =>
  cookie(app, name, sealed, { maxAgeMs: stateMs, path: pathOf(app) })

export const forgottenState = (app: App): string => cookie(app, name, '', { maxAgeMs: 0, path: pathOf(app) })

/** The sign-in that this browser started with this provider; throws if `given` belongs to another one. */
export async function requireState(
  app: App,
  headers: IncomingHttpHeaders,
  provider: string,
  given: string | undefined,
): Promise<SignInState> {
  const state = await findState(app, headers, provider, given)
  if (!state) throw invalid('This sign-in was started in another browser or too long ago. Start again.', 'state')
  return state
}

async function findState(
  app: App,
  headers: IncomingHttpHeaders,
  provider: string,
  given: string | undefined,
): Promise<SignInState | undefined> {
  const state = await startedState(app, headers, provider)
  return state?.state === given ? state : undefined
}

/** The sign-in that this browser started last with this provider, whichever one it comes back from. */
export async function startedState(
  app: App,
  headers: IncomingHttpHeaders,
  provider: string,
): Promise<SignInState | undefined> {
  const sealed = cookieOf(headers, name)
  const state = sealed ? await openState(app, sealed) : undefined
  return state?.provider === provider ? state : undefined
}
