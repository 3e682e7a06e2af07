// Which entries a reader gets. The same decision stands in `queries.ts` as SQL; a test compares the two.
import { nounOf } from '../changeLog/subject.ts'
import type { Uuid } from '../shapes/ids.ts'

export type Filter = {
  types?: readonly string[] | undefined
  calendarIds?: readonly Uuid[] | undefined
  agentIds?: readonly Uuid[] | undefined
  /** The only agent that the caller's key has access to. */
  only?: Uuid | undefined
  /** The only calendars of it that the key lists. An entry without a calendar concerns the agent itself. */
  listed?: readonly Uuid[] | undefined
}

/** The columns of an entry that are readable without its payload. */
export type Head = { type: string; calendarId: Uuid | null; agentId: Uuid | null }

/** Filters that an agent key may not use, here as elsewhere. */
export const hiddenFromAgents: readonly string[] = ['proposal', 'webhook']

/** Without a calendar these may be about other calendars as well. */
export const ofUnlisted: readonly string[] = ['hold_group', 'approval']

/** Without a list everything is listed. */
const isListed = <T>(list: readonly T[] | undefined, item: T | null): boolean =>
  list === undefined || (item !== null && list.includes(item))

export function matches(
  { types, calendarIds, agentIds, only, listed }: Filter,
  { type, calendarId, agentId }: Head,
): boolean {
  const isVisible = only === undefined || (agentId === only && !hiddenFromAgents.includes(nounOf(type)))
  if (listed && (calendarId === null ? ofUnlisted.includes(nounOf(type)) : !listed.includes(calendarId))) return false
  return isVisible && isListed(types, type) && isListed(calendarIds, calendarId) && isListed(agentIds, agentId)
}

export const isEverything = ({ types, calendarIds, agentIds, only, listed }: Filter): boolean =>
  [types, calendarIds, agentIds, only, listed].every((one) => one === undefined)
