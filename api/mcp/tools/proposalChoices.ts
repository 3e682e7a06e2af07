// The agents and slots for an answer to a proposal, which the refusals of `respond_to_proposal` offer.
import { ServiceError } from '../../../src/errors.ts'
import { agentsOf, calendarsOf } from '../language/names.ts'
import { shownRecord } from '../language/records.ts'
import { calendarSuggestion, requireAgentOf, requireCalendarOf } from '../language/subjects.ts'
import type { ToolCall } from '../language/tool.ts'
import { type Suggestion, ToolRefusal } from '../language/toolRefusal.ts'

type Json = Record<string, unknown>
type Call = Pick<ToolCall, 'app' | 'actor'>

/** The choices in the record of a proposal. */
export type Choosable = Json & {
  participant_agent_ids: string[]
  slots: (Json & { id: string })[]
  responses: { agent_id: string }[]
}

/** The calendar of the meeting. If it is left out and there are several, those of the organizer are offered first. */
export async function requireMeetingCalendar(call: Call, sent: string | undefined, organizerId: string) {
  try {
    return await requireCalendarOf(call, sent)
  } catch (error) {
    if (!(error instanceof ToolRefusal) || error.detail.code !== 'calendar_required') throw error
    const own = (await calendarsOf(call)).filter(({ agentId }) => agentId === organizerId).map(calendarSuggestion)
    const isOwn = (id: unknown) => own.some((one) => one.arguments.calendar_id === id)
    throw error.suggesting([...own, ...error.suggestions.filter((one) => !isOwn(one.arguments.calendar_id))])
  }
}

/** The agent that answers. If it is left out, those who have not answered are offered. */
export async function requireParticipant(call: Call, proposal: Choosable, sent: string | undefined): Promise<string> {
  try {
    return (await requireAgentOf(call, sent)).shown
  } catch (error) {
    if (!(error instanceof ToolRefusal) || error.detail.code !== 'agent_required') throw error
    throw error.suggesting(await awaited(call, proposal))
  }
}

/** The twin's refusal of an agent that takes no part, or of an unknown slot, with the valid choices. */
export async function withChoices(call: Call, proposal: Choosable, zone: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error
  const { type, message, detail } = error
  if (type === 'forbidden') {
    const suggestions = await awaited(call, proposal)
    return new ToolRefusal(message, { type, param: 'agent_id', suggestions, nextStep: 'Give agent_id: a suggestion.' })
  }
  if (detail.param !== 'selected_slot_id') return error
  return new ToolRefusal(message, {
    ...{ type, param: detail.param, code: detail.code },
    suggestions: slotsOf(proposal, zone, call.app.clock.now()),
    nextStep: 'Choose one of the suggested slots; get_proposal shows all.',
  })
}

async function awaited(call: Call, { participant_agent_ids, responses }: Choosable): Promise<Suggestion[]> {
  const answered = responses.map(({ agent_id }) => agent_id)
  const names = new Map((await agentsOf(call)).map(({ id, name }) => [id, name]))
  return participant_agent_ids
    .filter((id) => !answered.includes(id))
    .map((id) => ({ arguments: { agent_id: id }, note: names.get(id) ?? 'A participant.' }))
}

const slotsOf = ({ slots }: Choosable, zone: string, now: Date): Suggestion[] =>
  slots.map((slot) => {
    const { when } = shownRecord(slot, { zone, now })
    return { arguments: { selected_slot_id: slot.id }, when: String(when) }
  })
