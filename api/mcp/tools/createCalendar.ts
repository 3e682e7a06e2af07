// A calendar is made: of an agent, or of the organization.
import { z } from 'zod'
import { createCalendarBody } from '../../../src/calendars/schema.ts'
import { momentWords } from '../../../src/localtime/words.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { compact } from '../answer.ts'
import { routeNamed } from '../routeNamed.ts'
import { refuseAgentName } from '../subjects.ts'
import { askTwin } from '../twin.ts'
import { writingTool } from '../writingTool.ts'

export type CalendarRecord = {
  id: string
  name: string
  timezone: string
  agentId: string | null
  agent_status: string
  default_reminders: number[] | null
  metadata: Record<string, unknown>
}

export const briefCalendar = ({ id, name, timezone, agentId, agent_status }: CalendarRecord, now: Date) =>
  compact({
    id,
    name,
    timezone,
    agent_id: agentId,
    agent_status,
    local_time: momentWords(now.getTime(), timezone),
  })

const { name, timezone } = createCalendarBody.shape
const default_reminders = createCalendarBody.shape.default_reminders.meta({ description: 'Minutes before' })
const metadata = createCalendarBody.shape.metadata.meta({ description: '' })

export const createCalendar = writingTool({
  name: 'create_calendar',
  title: 'Create a calendar',
  description: 'Of an agent; without agent_id, of the organization.',
  effect: 'creates',
  // The key of an agent may make calendars of its agent only, and does.
  twins: [routeNamed('createAgentCalendar'), routeNamed('createCalendar')],
  arguments: { name, timezone, agent_id: z.string().optional(), default_reminders, metadata },
  answer: { calendar: 'object' },
  async context(call) {
    const { agentId } = call.actor
    const owner = call.arguments.agent_id ?? (agentId && encodeId('agt', agentId))
    if (owner !== undefined) await refuseAgentName(call, owner, 'agent_id')
    return { owner: owner ?? null }
  },
  wanted: ({ arguments: sent }, { owner }) => ({ ...sent, agent_id: owner }),
  async act(call, { agent_id: owner, ...body }) {
    const record =
      owner === null
        ? await askTwin<CalendarRecord>(call, routeNamed('createCalendar'), { body })
        : await askTwin<CalendarRecord>(call, routeNamed('createAgentCalendar'), { params: { agent_id: owner }, body })
    return { body: record }
  },
  show: ({ body, call }) => ({
    calendar: {
      ...briefCalendar(body, call.app.clock.now()),
      ...compact({ metadata: body.metadata }),
      // An empty list says that there are none.
      ...(body.default_reminders && { default_reminders: body.default_reminders }),
    },
  }),
})
