// The cookie that goes with a sign-in through a provider, from its beginning to its end.
import type { IncomingHttpHeaders } from 'node:http'
import { openState, type SignInState, stateMs } from '../../src/accounts/state.ts'
import type { App } from '../../src/app.ts'
import { invalid } from '../../src/errors.ts'
import { rootOf } from '../http/root.ts'
import { cookie, cookieOf } from './session.ts'

const name = 'svc_oauth'
/** As a browser sees it, behind a proxy that puts something in front. */
const pathOf = (app: App) => `${rootOf(app)}/v1/auth/oauth`

export const stateCookie = (app: App, sealed: string): string =>
  cookie(app, name, sealed, { maxAgeMs: stateMs, path: pathOf(app) })

export const forgottenState = (app: App): string => cookie(app, name, '', { maxAgeMs: 0, path: pathOf(app) })

/** What this browser began with this provider, if the answer is the one to it. */
export async function requireState(
  app: App,
  headers: IncomingHttpHeaders,
  provider: string,
  given: string | undefined,
): Promise<SignInState> {
  const sealed = cookieOf(headers, name)
  const state = sealed ? await openState(app, sealed) : undefined
  if (!state || state.provider !== provider || state.state !== given) {
    throw invalid('This sign-in was not begun here, or too long ago. Begin again.', 'state')
  }
  return state
}
