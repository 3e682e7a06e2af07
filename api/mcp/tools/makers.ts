// Creates agents and calendars.
import { z } from 'zod'
import { agentListQuery } from '../../../src/agents/schema.ts'
import { createCalendarBody } from '../../../src/calendars/schema.ts'
import type { List } from '../../../src/shapes/lists.ts'
import { compact, listAnswer } from '../language/answer.ts'
import { callOperation } from '../language/callOperation.ts'
import { withoutWords } from '../language/operationFields.ts'
import { page, pageKeys } from '../language/paging.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { requireAgentOf } from '../language/subjects.ts'
import { readTool, writeTool } from '../language/tool.ts'
import { changingTool, shownOf } from './operationTools.ts'

const agentsRoute = routeNamed('listAgents')

type Agent = { id: string; name: string; type: string; status: string; description: string | null }

export const listAgents = readTool({
  name: 'list_agents',
  title: 'List agents',
  description: 'Newest first.',
  twins: [agentsRoute],
  arguments: { type: agentListQuery.shape.type, status: agentListQuery.shape.status, ...page },
  answer: { agents: 'array', ...pageKeys },
  async run(call) {
    const { data, total } = await callOperation<List<Agent>>(call, agentsRoute, { query: call.arguments })
    const items = data.map(({ id, name, type, status, description }) =>
      compact({ id, name, type, status, description }),
    )
    return listAnswer('agents', { items, total, offset: call.arguments.offset })
  },
})

export const createAgent = changingTool({
  name: 'create_agent',
  title: 'Create an agent',
  description: 'An agent owns calendars; its key reaches only these.',
  effect: 'creates',
  twin: 'createAgent',
  key: 'agent',
})

const { name, timezone, default_reminders, metadata } = createCalendarBody.shape

type Record = { id: string; timezone: string }

export const createCalendar = writeTool({
  name: 'create_calendar',
  title: 'Create a calendar',
  description: 'Of the organization without agent_id.',
  effect: 'creates',
  twins: [routeNamed('createAgentCalendar'), routeNamed('createCalendar')],
  arguments: {
    name,
    timezone,
    agent_id: z.string().optional(),
    default_reminders: withoutWords(default_reminders),
    metadata: withoutWords(metadata),
  },
  answer: { calendar: 'object' },
  async context({ app, actor, arguments: { agent_id } }): Promise<{ agent?: string }> {
    if (agent_id === undefined && !actor.agentId) return {}
    return { agent: (await requireAgentOf({ app, actor }, agent_id)).shown }
  },
  input: ({ arguments: sent }, { agent }) => ({ ...sent, agent_id: agent }),
  async act(call, { agent_id, ...body }) {
    const calendar = agent_id
      ? await callOperation<Record>(call, routeNamed('createAgentCalendar'), { params: { agent_id }, body })
      : await callOperation<Record>(call, routeNamed('createCalendar'), { body })
    return { body: calendar }
  },
  show: async ({ body, call }) => ({ calendar: await shownOf(call, body) }),
})
