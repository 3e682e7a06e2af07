// An account without password and factor shows that its person is there through its provider, which asks them to sign in again.

import type { Identity } from '../accounts/oidc.ts'
import { reauthenticationEnd } from '../actors/reauthentication.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { forbidden } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { reauthenticateByIdentityGuard } from './writes.ts'

const maxAgeMs = 10 * minuteMs

/** Throws 403 for an identity of somebody else, and for a sign-in at the provider that is too long ago. */
export async function reauthenticateThrough(app: App, sessionId: Uuid, identity: Identity) {
  const now = app.clock.now()
  const { authTime } = identity
  if (authTime === undefined || now.getTime() - authTime.getTime() > maxAgeMs) {
    throw forbidden('The provider did not ask you to sign in again. Begin again.')
  }
  const { matched } = await commit(app, { guard: reauthenticateByIdentityGuard(app.sql, sessionId, identity, now) })
  if (!matched) throw forbidden('This is not an identity of the account that is signed in, or its session has ended.')
  return { reauthenticated_until: isoTime(reauthenticationEnd(now)) }
}
