import { z } from 'zod'
import { ServiceError } from '../../../src/errors.ts'
import { createSubscriptionBody } from '../../../src/imports/schema.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { callOperation } from '../language/callOperation.ts'
import { withoutWords } from '../language/operationFields.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { refuseAgentName, requireAgentOf, requireCalendarOf } from '../language/subjects.ts'
import { writeTool } from '../language/tool.ts'
import { ToolRefusal } from '../language/toolRefusal.ts'
import { shownOf } from './operationTools.ts'

const route = routeNamed('createIcalSubscription')
const { url, label } = createSubscriptionBody.shape

type Context = { calendar: string; agent: string; zone: string; owner?: string }

export const subscribeIcal = writeTool({
  name: 'subscribe_ical',
  title: 'Import a calendar feed',
  description: "Copies an HTTPS .ics feed into an agent's calendar, read-only, and renews it.",
  effect: 'creates',
  isOpenWorld: true,
  twins: [route],
  arguments: { calendar_id: z.string().optional(), url: withoutWords(url), label },
  alsoTaken: { agent_id: z.string().optional() },
  answer: { subscription: 'object' },
  async context(call): Promise<Context> {
    const { id, agentId, timezone } = await requireCalendarOf(call, call.arguments.calendar_id)
    const owner = agentId ? encodeId('agt', agentId) : undefined
    const agent = call.arguments.agent_id ?? owner
    if (agent !== undefined) await refuseAgentName(call, agent, 'agent_id')
    // A calendar of the organization has a feed for any agent.
    const { shown } = agent === undefined ? await requireAgentOf(call, undefined) : { shown: agent }
    return { calendar: encodeId('cal', id), agent: shown, zone: timezone, ...(owner && { owner }) }
  },
  input: ({ arguments: { url, label } }, { calendar, agent }) => ({
    calendar_id: calendar,
    agent_id: agent,
    url,
    label,
  }),
  async act(call, { agent_id, ...body }, { owner }) {
    const change = callOperation<{ id: string }>(call, route, { params: { agent_id }, body })
    const mended = (error: unknown) => withOwner(withSecureAddress(error, body.url), agent_id, owner)
    return { body: await change.catch((error) => Promise.reject(mended(error))) }
  },
  show: async ({ body, context: { zone }, call }) => ({ subscription: await shownOf(call, body, zone) }),
})

/** Most feeds with another scheme are also available over https. */
function withSecureAddress(error: unknown, sent: string): unknown {
  const secure = sent.replace(/^(http|webcals?):/i, 'https:')
  if (!(error instanceof ServiceError) || error.detail.param !== 'url' || secure === sent) return error
  return new ToolRefusal(error.message, {
    param: 'url',
    suggestions: [{ arguments: { url: secure }, note: 'The same address over HTTPS.' }],
  })
}

/** The calendar of an agent is not found under another one. */
function withOwner(error: unknown, agent: string, owner: string | undefined): unknown {
  if (!(error instanceof ServiceError) || error.type !== 'not_found' || !owner || agent === owner) return error
  return new ToolRefusal('The calendar is not one of this agent.', {
    ...{ type: 'not_found', param: 'calendar_id', code: error.detail.code, noun: 'calendar' },
    suggestions: [{ arguments: { agent_id: null }, note: 'The agent that owns the calendar.' }],
    nextStep: 'Leave out agent_id: the agent that owns the calendar is meant then.',
  })
}
