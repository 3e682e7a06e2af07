// Which calendar or agent a call is about: the one that it names, or the only one that there is.

import { agentChoices } from '../../src/agents/choices.ts'
import { requireCalendar } from '../../src/calendars/calendars.ts'
import { type CalendarChoice, calendarChoices } from '../../src/calendars/choices.ts'
import { notFound } from '../../src/errors.ts'
import type { ErrorCode } from '../../src/shapes/errorTypes.ts'
import { decodeId, type Uuid } from '../../src/shapes/ids.ts'
import type { ToolCall } from './tool.ts'
import { maxSuggestions, type Suggestion, ToolRefusal } from './toolRefusal.ts'

type Call = Pick<ToolCall<unknown>, 'app' | 'actor'>
type Calendar = Awaited<ReturnType<typeof requireCalendar>>

/** The calendar that is named, else the only one that the key sees. */
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

const calendarSuggestion = ({ id, name, timezone }: CalendarChoice): Suggestion => ({
  arguments: { calendar_id: id },
  note: `${name} (${timezone})`,
})

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

/** Refuses a name where an id belongs, with the ids of what is called so. */
const refuseCalendarName = (call: Call, sent: string, param: string) =>
  refuseName(sent, param, 'calendar', decodeId('cal', sent), () =>
    calendarChoices(call.app, call.actor, maxSuggestions, sent),
  )

export const refuseAgentName = (call: Call, sent: string, param: string) =>
  refuseName(sent, param, 'agent', decodeId('agt', sent), () =>
    agentChoices(call.app, call.actor, maxSuggestions, sent),
  )

async function refuseName(
  sent: string,
  param: string,
  noun: string,
  uuid: Uuid | undefined,
  find: () => Promise<{ id: string; name: string }[]>,
): Promise<void> {
  if (uuid) return
  const named = sent === '' ? [] : await find()
  if (named.length === 0) throw notFound(noun, param, sent)
  const code = noun === 'calendar' ? 'calendar_not_found' : undefined
  throw new ToolRefusal(`${param}: ${sent.slice(0, 100)} is a name; give the id of the ${noun}.`, {
    type: 'not_found',
    param,
    code,
    suggestions: named.map(({ id, name }) => ({ arguments: { [param]: id }, note: name })),
  })
}
