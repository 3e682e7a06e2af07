// Agents, listed and made.
import { agentListQuery, createAgentBody } from '../../../src/agents/schema.ts'
import type { List } from '../../../src/shapes/lists.ts'
import { compact, listAnswer } from '../answer.ts'
import { page, pageKeys } from '../paging.ts'
import { routeNamed } from '../routeNamed.ts'
import { tool } from '../tool.ts'
import { askTwin } from '../twin.ts'
import { writingTool } from '../writingTool.ts'

type AgentRecord = {
  id: string
  name: string
  type: string
  status: string
  description: string | null
  metadata: Record<string, unknown>
}

const briefAgent = ({ id, name, type, status, description }: AgentRecord) =>
  compact({ id, name, type, status, description })

export const listAgents = tool({
  name: 'list_agents',
  title: 'List agents',
  description: 'Agents with their ids, newest first.',
  effect: 'reads',
  twins: [routeNamed('listAgents')],
  arguments: { type: agentListQuery.shape.type, status: agentListQuery.shape.status, ...page },
  answer: { agents: 'array', ...pageKeys },
  async run(call) {
    const { data, total } = await askTwin<List<AgentRecord>>(call, routeNamed('listAgents'), { query: call.arguments })
    return listAnswer('agents', { items: data.map(briefAgent), total, offset: call.arguments.offset })
  },
})

const { name, type, description } = createAgentBody.shape
const metadata = createAgentBody.shape.metadata.meta({ description: '' })

export const createAgent = writingTool({
  name: 'create_agent',
  title: 'Create an agent',
  description: 'An owner of calendars: an AI agent, a human or a resource such as a room.',
  effect: 'creates',
  twins: [routeNamed('createAgent')],
  arguments: { name, type, description, metadata },
  answer: { agent: 'object' },
  context: async () => ({}),
  wanted: ({ arguments: sent }) => sent,
  act: async (call, body) => ({ body: await askTwin<AgentRecord>(call, routeNamed('createAgent'), { body }) }),
  show: ({ body }) => ({ agent: { ...briefAgent(body), ...compact({ metadata: body.metadata }) } }),
})
