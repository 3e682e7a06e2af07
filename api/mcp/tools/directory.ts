// Lists and creates agents and calendars.

import { z } from 'zod'
import { momentWords } from '../../../src/localtime/words.ts'
import type { List } from '../../../src/shapes/lists.ts'
import { compact, listAnswer } from '../language/answer.ts'
import { callOperation } from '../language/callOperation.ts'
import { page, pageKeys } from '../language/paging.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { refuseAgentName } from '../language/subjects.ts'
import { readTool, type ToolCall } from '../language/tool.ts'

type CalendarRecord = { id: string; name: string; timezone: string; agentId: string | null; agent_status: string }

export const listCalendars = readTool({
  name: 'list_calendars',
  title: 'List calendars',
  description: 'With zone and local time, newest first.',
  twins: [routeNamed('listCalendars'), routeNamed('listAgentCalendars')],
  arguments: { agent_id: z.string().optional(), ...page },
  answer: { calendars: 'array', ...pageKeys },
  async run(call) {
    const { agent_id, limit, offset } = call.arguments
    const nowMs = call.app.clock.now().getTime()
    const { data, total } = await calendarsOf(call, agent_id, { limit, offset })
    const items = data.map(({ id, name, timezone, agentId, agent_status }) =>
      compact({ id, name, timezone, agent_id: agentId, agent_status, local_time: momentWords(nowMs, timezone) }),
    )
    return listAnswer('calendars', { items, total, offset })
  },
})

async function calendarsOf(call: ToolCall<unknown>, agentId: string | undefined, query: object) {
  if (agentId === undefined) {
    return callOperation<List<CalendarRecord>>(call, routeNamed('listCalendars'), {
      query: { include: 'all', ...query },
    })
  }
  await refuseAgentName(call, agentId, 'agent_id')
  return callOperation<List<CalendarRecord>>(call, routeNamed('listAgentCalendars'), {
    params: { agent_id: agentId },
    query: { ...query },
  })
}
