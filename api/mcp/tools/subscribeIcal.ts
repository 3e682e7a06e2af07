import { z } from 'zod'
import { createSubscriptionBody } from '../../../src/imports/schema.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { routeNamed } from '../routeNamed.ts'
import { requireCalendarOf } from '../subjects.ts'
import { ToolRefusal } from '../toolRefusal.ts'
import { askTwin } from '../twin.ts'
import { shownOf } from '../twinTools.ts'
import { writingTool } from '../writingTool.ts'

const route = routeNamed('createIcalSubscription')
const { url, label } = createSubscriptionBody.shape

type Context = { calendar: string; agent: string | undefined; zone: string }

export const subscribeIcal = writingTool({
  name: 'subscribe_ical',
  title: 'Import a calendar feed',
  description: "Copies an outside .ics feed into an agent's calendar, read-only, and keeps it up to date.",
  effect: 'creates',
  isOpenWorld: true,
  twins: [route],
  arguments: { calendar_id: z.string().optional(), url, label },
  alsoTaken: { agent_id: z.string().optional() },
  answer: { subscription: 'object' },
  async context(call): Promise<Context> {
    const { id, agentId, timezone } = await requireCalendarOf(call, call.arguments.calendar_id)
    const owner = agentId ? encodeId('agt', agentId) : undefined
    return { calendar: encodeId('cal', id), agent: call.arguments.agent_id ?? owner, zone: timezone }
  },
  wanted({ arguments: { url, label } }, { calendar, agent }) {
    if (/^http:/i.test(url)) throw notEncrypted(url)
    if (!agent) throw new ToolRefusal('calendar_id: feeds need a calendar of an agent.', { param: 'calendar_id' })
    return { calendar_id: calendar, agent_id: agent, url, label }
  },
  act: async (call, { agent_id, ...body }) => ({
    body: await askTwin<{ id: string }>(call, route, { params: { agent_id }, body }),
  }),
  show: async ({ body, context: { zone }, call }) => ({ subscription: await shownOf(call, body, zone) }),
})

const notEncrypted = (url: string) =>
  new ToolRefusal('url: feeds are read over HTTPS only.', {
    param: 'url',
    suggestions: [{ arguments: { url: url.replace(/^http:/i, 'https:') }, note: 'The same address over HTTPS.' }],
  })
