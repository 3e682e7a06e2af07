// Acts of weight need somebody who has just shown who they are, not only a session that may have been left open. Everything that it
// goes by is in the row of the session.
import { reauthenticationOf, reauthenticationRefusal } from '../../src/actors/reauthentication.ts'
import type { ServiceError } from '../../src/errors.ts'
import type { Gated } from '../http/route.ts'
import type { Identified } from './identify.ts'

/** After the role, before the formats. API keys are not asked. */
export const needsReauthentication = (
  { caller: { session } }: Identified,
  { reauthentication }: Gated,
  now: Date,
): ServiceError | undefined =>
  session && reauthentication ? reauthenticationRefusal(reauthenticationOf(session), reauthentication, now) : undefined
