// The proposal of chosen times, as the API takes it. Pure.
import { type CallValues, callOf } from '../../parts/call.ts'
import { metadataOf } from '../../parts/metadata.ts'
import { numberOf } from '../../parts/numbers.ts'
import { momentText } from '../../parts/wallTimes.ts'

export type Slot = { start: string; end: string }

export type ProposalValues = CallValues & {
  title: string
  description: string
  organizer: string
  calendar: string
  location: string
  expires: string
  metadata: string
} & { [Name in `weight ${string}` | `calendar ${string}`]?: string }

/** Each time has fields of its own, by its start. */
export const weightField = (start: string) => `weight ${start}` as const
export const calendarField = (start: string) => `calendar ${start}` as const

/** The agents of the question are asked; who organizes is asked only if nobody else is left. */
function participantsOf(agents: readonly string[], organizer: string) {
  const others = agents.filter((agent) => agent !== organizer)
  return others.length > 0 ? others : [...agents]
}

/** Fields without text are left out. */
export function proposalBody(values: ProposalValues, agents: readonly string[], slots: readonly Slot[], zone: string) {
  const { title, description, organizer, calendar, location, expires, metadata } = values
  const conference = callOf(values)
  return {
    ...{ title, organizer_agent_id: organizer, calendar_id: calendar },
    participant_agent_ids: participantsOf(agents, organizer),
    slots: slots.map((slot) => slotOf(slot, values)),
    ...(description && { description }),
    ...(location && { location }),
    ...(conference && { conference }),
    ...(expires && { expires_at: momentText(expires, zone) }),
    ...(metadata.trim() && { metadata: metadataOf(metadata) }),
  }
}

function slotOf({ start, end }: Slot, values: ProposalValues) {
  const { [weightField(start)]: weight, [calendarField(start)]: calendar } = values
  return {
    ...{ start_time: start, end_time: end },
    ...(weight && { weight: numberOf(weight) }),
    ...(calendar && { calendar_id: calendar }),
  }
}
