// A calendar subscribes to an external feed.
import { z } from 'zod'
import { ServiceError } from '../../../src/errors.ts'
import { createSubscriptionBody } from '../../../src/imports/schema.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { compact } from '../answer.ts'
import { routeNamed } from '../routeNamed.ts'
import { refuseAgentName, requireAgentOf, requireCalendarOf } from '../subjects.ts'
import { ToolRefusal } from '../toolRefusal.ts'
import { askTwin } from '../twin.ts'
import { writingTool } from '../writingTool.ts'

const { label } = createSubscriptionBody.shape
const url = createSubscriptionBody.shape.url.meta({ description: '' })

export const subscribeIcal = writingTool({
  name: 'subscribe_ical',
  title: 'Subscribe to a feed',
  description: 'Copies an external .ics feed into a calendar, read-only, and keeps it up to date.',
  effect: 'creates',
  isOpenWorld: true,
  twins: [routeNamed('createIcalSubscription')],
  arguments: { calendar_id: z.string().optional(), url, label },
  alsoTaken: { agent_id: z.string().optional() },
  answer: { subscription: 'object' },
  async context(call) {
    const { calendar_id, agent_id } = call.arguments
    const calendar = await requireCalendarOf(call, calendar_id)
    if (agent_id !== undefined) await refuseAgentName(call, agent_id, 'agent_id')
    const owner = agent_id ?? (calendar.agentId && encodeId('agt', calendar.agentId))
    return { calendar: encodeId('cal', calendar.id), agent: owner ?? (await requireAgentOf(call, undefined)).shown }
  },
  wanted: ({ arguments: sent }, { calendar, agent }) => ({ ...sent, calendar_id: calendar, agent_id: agent }),
  async act(call, { agent_id, ...body }) {
    const route = routeNamed('createIcalSubscription')
    const asked = askTwin<Record<string, unknown>>(call, route, { params: { agent_id }, body })
    return { body: await asked.catch((error) => Promise.reject(withSecureAddress(error, body.url))) }
  },
  show: ({ body }) => ({ subscription: compact(body) }),
})

/** Most feeds that are named by another scheme are there by https as well. */
function withSecureAddress(error: unknown, sent: string): unknown {
  const secure = sent.replace(/^(http|webcal|webcals):/i, 'https:')
  if (!(error instanceof ServiceError) || error.detail.param !== 'url' || secure === sent) return error
  return new ToolRefusal(error.message, {
    param: 'url',
    suggestions: [{ arguments: { url: secure }, note: 'The same feed by https.' }],
  })
}
