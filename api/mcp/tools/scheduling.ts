import { z } from 'zod'
import type { List } from '../../../src/shapes/lists.ts'
import { calendarRoutes } from '../../routes/calendars.ts'
import { tool } from '../tool.ts'
import { askTwin } from '../twin.ts'

type CalendarRecord = { id: string; name: string; timezone: string; agentId: string | null; agent_status: string }

const routeOf = (operationId: string) => calendarRoutes.find((route) => route.operationId === operationId)!

const listCalendars = tool({
  name: 'list_calendars',
  title: 'List calendars',
  description: 'Calendars with their ids, zones and local times, newest first; of one agent or all.',
  effect: 'reads',
  twins: [routeOf('listCalendars'), routeOf('listAgentCalendars')],
  arguments: {
    agent_id: z.string().optional(),
    limit: z.int().min(1).max(100).default(25),
    offset: z.int().min(0).default(0),
  },
  answer: { calendars: 'array', total: 'integer', next_offset: 'integer?' },
  async run(call) {
    const { agent_id, limit, offset } = call.arguments
    const list = agent_id
      ? await askTwin<List<CalendarRecord>>(call, routeOf('listAgentCalendars'), {
          params: { agent_id },
          query: { limit, offset },
        })
      : await askTwin<List<CalendarRecord>>(call, routeOf('listCalendars'), {
          query: { include: 'all', limit, offset },
        })
    const calendars = list.data.map(({ id, name, timezone, agentId, agent_status }) => ({
      id,
      name,
      timezone,
      ...(agentId && { agent_id: agentId }),
      agent_status,
    }))
    const next = offset + calendars.length
    return { calendars, total: list.total, ...(next < list.total && { next_offset: next }) }
  },
})

/** In the order in which they are listed. */
export const schedulingTools = [listCalendars]
