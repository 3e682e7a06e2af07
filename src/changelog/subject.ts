// What an entry is about: told by its type and its payload.
import { decodeId, type Prefix, type Uuid } from '../shapes/ids.ts'

/** By the first word of a type: the prefix of the id of what it is about. The rules of a calendar go by the calendar. */
const prefixes = {
  event: 'evt',
  calendar: 'cal',
  agent: 'agt',
  availability_rules: 'cal',
  proposal: 'spr',
  booking_page: 'bkp',
  ical_subscription: 'ics',
  webhook: 'whk',
} as const satisfies Record<string, Prefix>

type ResourceType = keyof typeof prefixes
export const resourceTypes = Object.keys(prefixes) as [ResourceType, ...ResourceType[]]

export const resourceTypeOf = (type: string): ResourceType => type.slice(0, type.indexOf('.')) as ResourceType

export const resourcePrefixOf = (type: string): Prefix => prefixes[resourceTypeOf(type)]

type Subject = { calendarId: Uuid | null; agentId: Uuid | null; resourceId: Uuid }

/** What the payload does not tell. */
export type Stated = Partial<Pick<Subject, 'calendarId' | 'agentId'>>

/** The ids that a payload may have, and the records under their nouns. */
type Told = Record<string, unknown> & { calendar_id?: string; agent_id?: string; agentId?: string; id?: string }

export function subjectOf(type: string, payload: object, stated: Stated = {}): Subject {
  const noun = resourceTypeOf(type)
  const told = payload as Told
  const record = (told[noun === 'availability_rules' ? 'rules' : noun] ?? {}) as Told
  const ownId = record.id ?? (told[`${noun}_id`] as string | undefined)
  const calendarId = stated.calendarId ?? idIn('cal', told.calendar_id ?? record.calendar_id)
  const resourceId = noun === 'availability_rules' ? calendarId : idIn(prefixes[noun], ownId)
  if (!resourceId) throw new TypeError(`a payload of ${type} names no ${noun}`)
  return {
    calendarId: noun === 'calendar' ? resourceId : calendarId,
    agentId: noun === 'agent' ? resourceId : (stated.agentId ?? idIn('agt', record.agent_id ?? record.agentId)),
    resourceId,
  }
}

const idIn = (prefix: Prefix, text: string | null | undefined): Uuid | null => (text && decodeId(prefix, text)) || null

/**
 * A change of a calendar: its guard has the calendar's new `revision`, null for what does not count as a change, and its owner,
 * `agent_id`. A new calendar has no row yet that a guard could return.
 */
export const isOfCalendar = (type: string): boolean =>
  type !== 'calendar.created' && ['event', 'calendar', 'availability_rules'].includes(resourceTypeOf(type))
