// The subject of an entry, from its type and its payload.
import { decodeId, encodeId, type Prefix, type Uuid } from '../shapes/ids.ts'

/**
 * By the first word of a type: the prefix of the id of its subject. The rules of a calendar have the calendar as their subject, and the
 * sources of an agent's busy time have the agent.
 */
const prefixes = {
  event: 'evt',
  calendar: 'cal',
  agent: 'agt',
  availability_rules: 'cal',
  proposal: 'spr',
  booking_page: 'bkp',
  ical_subscription: 'ics',
  webhook: 'whk',
  approval: 'apr',
  hold_group: 'hgr',
  connection_link: 'csl',
  availability_source: 'agt',
} as const satisfies Record<string, Prefix>

type Noun = keyof typeof prefixes
export const nouns = Object.keys(prefixes) as [Noun, ...Noun[]]

export const nounOf = (type: string): Noun => type.slice(0, type.indexOf('.')) as Noun

/** As the API shows it, from the stored row. */
export function storedResource(type: string, id: Uuid) {
  const noun = nounOf(type)
  return { type: noun, id: encodeId(prefixes[noun], id) }
}

/**
 * Something that happened. `calendarId` and `agentId`: where the payload lacks them. `resourceId`: the subject, where the
 * change knows it; otherwise the payload has it.
 */
export type Happened = {
  type: string
  payload: object
  resourceId?: Uuid
  calendarId?: Uuid | null
  agentId?: Uuid | null
  /** Agents that it concerns as well. */
  participantIds?: readonly Uuid[]
}

/** A payload holds ids, and records under their nouns. */
type EventPayload = Record<string, unknown> & { calendar_id?: string; agent_id?: string; agentId?: string; id?: string }

const recordIn = (payload: object, noun: Noun): EventPayload =>
  ((payload as EventPayload)[noun === 'availability_rules' ? 'rules' : noun] ?? {}) as EventPayload

/** The subject, as the API shows it. */
export function resourceOf(happened: Happened): { type: string; id: string } {
  const noun = nounOf(happened.type)
  const id = subjectIn(happened, noun)
  if (typeof id !== 'string') throw new TypeError(`a payload of ${happened.type} names no ${noun}`)
  return { type: noun, id }
}

function subjectIn(happened: Happened, noun: Noun): unknown {
  const payload = happened.payload as EventPayload
  if (noun === 'availability_rules') return calendarOf(happened)
  if (noun === 'availability_source') return payload.agent_id
  return recordIn(payload, noun).id ?? payload[`${noun}_id`]
}

/** The calendar that it is about, or lies on. */
function calendarOf({ type, payload, calendarId }: Happened): string | undefined {
  if (calendarId) return encodeId('cal', calendarId)
  return (payload as EventPayload).calendar_id ?? recordIn(payload, nounOf(type)).calendar_id
}

type Subject = { calendarId: Uuid | null; agentId: Uuid | null; resourceId: Uuid }

export function subjectOf(happened: Happened): Subject {
  const noun = nounOf(happened.type)
  const resourceId = happened.resourceId ?? decodeId(prefixes[noun], resourceOf(happened).id)!
  const { agent_id, agentId = agent_id } = recordIn(happened.payload, noun)
  return {
    calendarId: noun === 'calendar' ? resourceId : (happened.calendarId ?? idIn('cal', calendarOf(happened))),
    agentId:
      noun === 'agent' || noun === 'availability_source' ? resourceId : (happened.agentId ?? idIn('agt', agentId)),
    resourceId,
  }
}

const idIn = (prefix: Prefix, text: string | null | undefined): Uuid | null => (text && decodeId(prefix, text)) || null

/**
 * A change of a calendar: its guard has the calendar's new `revision`, null for what does not count as a change, and its owner,
 * `agent_id`. A new calendar has no row yet that a guard could return.
 */
export const isOfCalendar = (type: string): boolean =>
  type !== 'calendar.created' && ['event', 'calendar', 'availability_rules'].includes(nounOf(type))
