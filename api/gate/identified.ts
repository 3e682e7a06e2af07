import type { Request } from 'express'
import type { RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { recordFailure } from '../../src/audit/failures.ts'
import { ServiceError } from '../../src/errors.ts'
import { sentPrefix } from '../../src/keys/mint.ts'

/** Who it is. A key or session that opens nothing is counted, and told to the organization that its prefix belongs to. */
export async function identified<T>(
  app: App,
  req: Request,
  request: RequestContext,
  identify: () => Promise<T>,
): Promise<T> {
  try {
    return await identify()
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) {
      app.metrics.gateDecisions.inc({ plan: 'unknown', decision: 'unauthenticated' })
      const keyPrefix = sentPrefix(req.headers.authorization)
      recordFailure(app, { action: 'auth.failure', status: 401, request, keyPrefix })
    }
    throw error
  }
}
