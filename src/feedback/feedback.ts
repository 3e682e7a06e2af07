// Feedback goes to the log, where the operator reads it. Only the number of submissions per day is stored.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { quotaExceeded } from '../errors.ts'
import { seeOfDay, takeOfDay } from '../quotas/daily.ts'
import { encodeId } from '../shapes/ids.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import { withoutSecrets } from './rules.ts'
import type { FeedbackBody } from './schema.ts'

const maxPerDay = 25

export async function giveFeedback(app: App, actor: Actor, body: FeedbackBody): Promise<{ status: 'accepted' }> {
  const take = actor.request.dryRun ? seeOfDay : takeOfDay
  const { isTaken, secondsLeft } = await take(app, actor.orgId, 'feedback', maxPerDay)
  if (!isTaken) throw quotaExceeded('feedback submissions a day', maxPerDay, secondsLeft)
  const answer = { status: 'accepted' as const }
  await commitResponse(app, actor, answer)
  const given = { type: body.type, message: body.message, context: body.context ?? null }
  app.log.info(
    {
      feedback: withoutSecrets(given, app.config.adminToken),
      org_id: encodeId('org', actor.orgId),
      agent_id: actor.agentId ? encodeId('agt', actor.agentId) : null,
      plan: actor.plan,
      request_id: actor.request.id,
    },
    'feedback',
  )
  return answer
}
