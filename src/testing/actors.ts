// Actors for tests that call use cases without a door.
import type { Actor } from '../actors/actor.ts'
import { periodAt } from '../plans/period.ts'
import { limitsOf } from '../plans/plans.ts'
import { decodeId } from '../shapes/ids.ts'
import { testStart } from './harness.ts'

/** An organization on the custom plan, or one of its agents. */
export const actorOf = (orgId: string, agentId?: string): Actor => ({
  orgId: decodeId('org', orgId)!,
  ...(agentId && { agentId: decodeId('agt', agentId)! }),
  plan: 'custom',
  limits: limitsOf('custom', {}),
  period: periodAt(testStart, testStart),
  keyPrefix: null,
  request: {
    id: 'req_01k9xr8m3fe8tbc4x9m2v7h5qd',
    ...{ method: 'POST', path: '/v1', ip: null, userAgent: null, startedAt: testStart, successStatus: 201 },
  },
})
