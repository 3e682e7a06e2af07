// Which calendar or agent a call is about: the given one, or the only one.

import { z } from 'zod'
import { agentChoices, requireAgent } from '../../../src/agents/agents.ts'
import { requireCalendar } from '../../../src/calendars/calendars.ts'
import {
  agentCalendarZones,
  type CalendarChoice,
  type CalendarZone,
  calendarChoices,
} from '../../../src/calendars/choices.ts'
import { notFound } from '../../../src/errors.ts'
import type { ErrorCode } from '../../../src/shapes/errorTypes.ts'
import { decodeId, encodeId, idNouns, type Uuid } from '../../../src/shapes/ids.ts'
import type { Zones } from './times.ts'
import type { ToolCall } from './tool.ts'
import { maxSuggestions, type Suggestion, ToolRefusal } from './toolRefusal.ts'

type Call = Pick<ToolCall<unknown>, 'app' | 'actor'>
type Calendar = Awaited<ReturnType<typeof requireCalendar>>

/** The given calendar, else the only one that the key sees. */
export async function requireCalendarOf({ app, actor }: Call, sent: string | undefined): Promise<Calendar> {
  const id = sent ?? (await onlyCalendar({ app, actor }))
  await refuseCalendarName({ app, actor }, id, 'calendar_id')
  return requireCalendar(app, actor, id, 'calendar_id')
}

async function onlyCalendar({ app, actor }: Call): Promise<string> {
  const choices = await calendarChoices(app, actor, maxSuggestions)
  const [only] = choices
  if (only && choices.length === 1) return only.id
  throw required('calendar', 'calendar_required', choices.map(calendarSuggestion), 'list_calendars', 'create_calendar')
}

export const calendarSuggestion = ({ id, name, timezone }: CalendarChoice): Suggestion => ({
  arguments: { calendar_id: id },
  note: `${name} (${timezone})`,
})

/** The given agent, else the one of an agent key, else the only active one. */
export async function requireAgentOf(
  { app, actor }: Call,
  sent: string | undefined,
): Promise<{ id: Uuid; shown: string }> {
  const shown = sent ?? (actor.agentId ? encodeId('agt', actor.agentId) : await onlyAgent({ app, actor }))
  await refuseAgentName({ app, actor }, shown, 'agent_id')
  const { id } = await requireAgent(app, actor, shown, 'agent_id')
  return { id, shown }
}

async function onlyAgent({ app, actor }: Call): Promise<string> {
  const choices = await agentChoices(app, actor, maxSuggestions)
  const [only] = choices
  if (only && choices.length === 1) return only.id
  const suggestions = choices.map(({ id, name, type }) => ({ arguments: { agent_id: id }, note: `${name} (${type})` }))
  throw required('agent', 'agent_required', suggestions, 'list_agents', 'create_agent')
}

const required = (noun: string, code: ErrorCode, suggestions: Suggestion[], listTool: string, createTool: string) =>
  new ToolRefusal(
    suggestions.length === 0
      ? `There is no ${noun} yet.`
      : `${noun}_id: is required, because there are several ${noun}s.`,
    {
      param: `${noun}_id`,
      code,
      suggestions,
      nextStep:
        suggestions.length === 0
          ? `Make one with ${createTool}.`
          : `Give ${noun}_id: a suggestion, or another one of ${listTool}.`,
    },
  )

/** A calendar, or all calendars of an agent. */
type Subject =
  | { kind: 'calendar'; calendar: Calendar; calendars: readonly CalendarZone[] }
  | { kind: 'agent'; agent: { id: Uuid; shown: string }; calendars: readonly CalendarZone[] }

export const subjectArguments = { calendar_id: z.string().optional(), agent_id: z.string().optional() }

type SentSubject = { calendar_id?: string | undefined; agent_id?: string | undefined }

/** The given subject, else the agent of an agent key, else the only calendar. */
export async function requireSubject(call: Call, { calendar_id, agent_id }: SentSubject): Promise<Subject> {
  if (calendar_id !== undefined && agent_id !== undefined) {
    throw new ToolRefusal('agent_id: give either calendar_id or agent_id.', {
      param: 'agent_id',
      suggestions: [
        { arguments: { agent_id: null }, note: 'The calendar alone.' },
        { arguments: { calendar_id: null }, note: 'All calendars of the agent.' },
      ],
    })
  }
  if (agent_id !== undefined || (calendar_id === undefined && call.actor.agentId)) {
    const agent = await requireAgentOf(call, agent_id)
    return { kind: 'agent', agent, calendars: await agentCalendarZones(call.app, call.actor, [agent.id]) }
  }
  const calendar = await requireCalendarOf(call, calendar_id)
  return { kind: 'calendar', calendar, calendars: [calendar] }
}

/** The calendars of agents; `calendars` narrows them. Refuses names; ids that do not exist are left to the twin. */
export async function agentsInQuestion(
  call: Call,
  agents: readonly string[],
  calendars: readonly string[] | undefined,
): Promise<CalendarZone[]> {
  const agentIds = await agentIdsOf(call, 'agents', agents)
  const calendarIds =
    calendars &&
    (await idsOf('calendars', calendars, 'cal', (name) => calendarChoices(call.app, call.actor, maxSuggestions, name)))
  return agentCalendarZones(call.app, call.actor, agentIds, calendarIds)
}

/**
 * The agents of a list. Refuses names; ids that do not exist are left to the twin. `placeOf`: the twin's path of an agent
 * that it does not find.
 */
export const agentIdsOf = (
  call: Call,
  param: string,
  sent: readonly string[],
  paramOf?: (nth: number) => string,
): Promise<Uuid[]> =>
  idsOf(param, sent, 'agt', (name) => agentChoices(call.app, call.actor, maxSuggestions, name), paramOf)

/** The ids of a list. A list with names is refused, and the same list with their ids is suggested. */
async function idsOf(
  param: string,
  sent: readonly string[],
  prefix: 'agt' | 'cal',
  find: (name: string) => Promise<{ id: string; name: string }[]>,
  paramOf = (_: number) => param,
): Promise<Uuid[]> {
  const uuids = sent.flatMap((id) => decodeId(prefix, id) ?? [])
  if (uuids.length === sent.length) return uuids
  const meant: string[] = []
  for (const id of sent.slice(0, maxNames)) {
    const [named] = decodeId(prefix, id) || id.trim() === '' ? [] : await find(id.trim())
    meant.push(named?.id ?? id)
  }
  const noun = idNouns[prefix]
  if (!meant.every((id) => decodeId(prefix, id)) || sent.length > maxNames) {
    const nth = sent.findIndex((id) => !decodeId(prefix, id))
    throw notFound(noun, paramOf(nth), sent[nth])
  }
  throw new ToolRefusal(`${param}: give ids of ${noun}s, not names.`, {
    type: 'not_found',
    param,
    code: noun === 'calendar' ? 'calendar_not_found' : undefined,
    noun,
    suggestions: [{ arguments: { [param]: meant }, note: 'The ids of these names.' }],
  })
}

/** At most this many names of one list are looked up. */
const maxNames = 20

/** The zones in question, each once, in the order of the calendars. `requested`: the argument `timezone`. */
export const zonesFor = (calendars: readonly CalendarZone[], requested: string | undefined): Zones => ({
  requested,
  ofCalendars: [...new Map(calendars.map(({ timezone }) => [timezone.toLowerCase(), timezone])).values()],
})

/** Refuses a name where an id belongs, with the ids of the records that have that name. */
const refuseCalendarName = (call: Call, sent: string, param: string) =>
  refuseName(sent, param, 'calendar', decodeId('cal', sent), (name) =>
    calendarChoices(call.app, call.actor, maxSuggestions, name),
  )

export const refuseAgentName = (call: Call, sent: string, param: string) =>
  refuseName(sent, param, 'agent', decodeId('agt', sent), (name) =>
    agentChoices(call.app, call.actor, maxSuggestions, name),
  )

async function refuseName(
  sent: string,
  param: string,
  noun: string,
  uuid: Uuid | undefined,
  find: (name: string) => Promise<{ id: string; name: string }[]>,
): Promise<void> {
  if (uuid) return
  const name = sent.trim()
  const named = name === '' ? [] : await find(name)
  if (named.length === 0) throw notFound(noun, param, sent)
  const code = noun === 'calendar' ? 'calendar_not_found' : undefined
  throw new ToolRefusal(`${param}: ${sent.slice(0, 100)} is a name; give the id of the ${noun}.`, {
    type: 'not_found',
    param,
    code,
    noun,
    suggestions: named.map(({ id, name }) => ({ arguments: { [param]: id }, note: name })),
  })
}
