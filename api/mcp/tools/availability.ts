// Free times of one calendar or agent, and of several agents together.
import { agentFreeTimes, calendarFreeTimes, crossAgentFreeTimes } from '../../../src/availability/availability.ts'
import {
  type CrossAgentFreeQuery,
  crossAgentFreeQuery,
  type FreeQuery,
  freeQuery,
} from '../../../src/availability/schema.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { validate } from '../../http/validation.ts'
import { clockKeys, windowArguments } from '../language/clock.ts'
import { withoutWords } from '../language/operationFields.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { agentsInQuestion, requireSubject, subjectArguments, zonesFor } from '../language/subjects.ts'
import { readTool } from '../language/tool.ts'
import { readQuestion, shownBusy, shownBusyOfAgents, shownNext, shownTimes, slotArguments } from './freeTimes.ts'

const answerKeys = {
  ...clockKeys,
  window: 'object',
  availability_state: 'string',
  slots: 'array',
  more_slots: 'boolean',
  warnings: 'array',
} as const

export const getAvailability = readTool({
  name: 'get_availability',
  title: 'Find free time',
  description: 'Free time and slots; next 7 days unless given. Book only if availability_state is complete.',
  twins: [routeNamed('getCalendarAvailability'), routeNamed('getAgentAvailability')],
  arguments: { ...subjectArguments, ...windowArguments, ...slotArguments },
  answer: { ...answerKeys, free: 'array', next_free: 'object|null?', busy: 'array?', more_busy: 'boolean?' },
  async run(call) {
    const { app, actor } = call
    const { calendar_id: _, agent_id: __, ...sent } = call.arguments
    const subject = await requireSubject(call, call.arguments)
    const { question, query } = readQuestion(sent, zonesFor(subject.calendars, sent.timezone), app.clock.now())
    const checked = validate(freeQuery, query, 'query') as FreeQuery
    const times =
      subject.kind === 'calendar'
        ? await calendarFreeTimes(app, actor, encodeId('cal', subject.calendar.id), checked)
        : await agentFreeTimes(app, actor, subject.agent.shown, checked)
    const answer = {
      ...shownTimes(times, question),
      ...(times.slots.length === 0 && { next_free: shownNext(times, question) }),
    }
    return { ...answer, ...shownBusy(times, question, answer) }
  },
})

export const findMeetingTime = readTool({
  name: 'find_meeting_time',
  title: 'Find a meeting time',
  description: 'Slots at which all these agents are free; next 7 days unless given.',
  twins: [routeNamed('getAvailability')],
  arguments: {
    agents: crossAgentFreeQuery.shape.agents,
    calendars: crossAgentFreeQuery.shape.calendars,
    ...windowArguments,
    ...slotArguments,
    day_start: withoutWords(slotArguments.day_start),
  },
  answer: { ...answerKeys, next_free: 'object|null', per_agent_busy: 'object?', more_busy: 'boolean?' },
  async run(call) {
    const { app, actor } = call
    const { agents, calendars, ...sent } = call.arguments
    const zones = zonesFor(await agentsInQuestion(call, agents, calendars), sent.timezone)
    const { question, query } = readQuestion(sent, zones, app.clock.now())
    const checked = validate(crossAgentFreeQuery, { ...query, agents, calendars }, 'query') as CrossAgentFreeQuery
    const times = await crossAgentFreeTimes(app, actor, checked)
    const { free: _, ...shown } = shownTimes(times, question)
    const answer = { ...shown, next_free: shownNext(times, question) }
    return { ...answer, ...shownBusyOfAgents(times, question, answer) }
  },
})
