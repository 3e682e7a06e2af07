// A title or another name where an id belongs: the refusal suggests the ids of records with that name. Names of calendars and agents
// are looked up in subjects.ts, because other arguments depend on those.
import { agentChoices } from '../../../src/agents/agents.ts'
import { calendarChoices } from '../../../src/calendars/choices.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { EventInstanceRecord } from '../../../src/events/present.ts'
import { listWindow } from '../../../src/events/windowList.ts'
import { dayMs } from '../../../src/shapes/durations.ts'
import { decodeId, prefixes } from '../../../src/shapes/ids.ts'
import { holdsLike, isAlike } from '../../../src/shapes/likeness.ts'
import { callOperation } from './callOperation.ts'
import { eventZones, whenOf } from './eventTimes.ts'
import type { Key } from './names.ts'
import { routeNamed } from './routeNamed.ts'
import type { Tool } from './tool.ts'
import { maxSuggestions, type Suggestion, ToolRefusal } from './toolRefusal.ts'

type Json = Record<string, unknown>
type Find = (key: Key, name: string) => Promise<Suggestion[]>

const maxFound = 100

/** Finds the records called `name`, by the argument that holds it. */
const finders: Record<string, Find> = {
  event_id: findEvents,
  booking_page_id: inList('booking_page_id', 'listBookingPages', 'data', ['title']),
  proposal_id: inList('proposal_id', 'listProposals', 'data', ['title']),
  subscription_id: findFeeds,
  hold_group_id: inList('hold_group_id', 'listHoldGroups', 'data', ['title']),
  webhook_id: inList('webhook_id', 'listWebhooks', 'data', ['url']),
  key_id: inList('key_id', 'listAgentKeys', 'keys', ['label', 'key_prefix'], {}, {}),
}

/** The refusal of a call that gives a name in place of an id, with the ids that are meant; any other error unchanged. */
export async function withNamedId(
  key: Key,
  { tool, sent }: { tool: Tool; sent: Json },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.type !== 'not_found') return error
  const param = Object.keys(finders).find((name) => name in tool.schema.shape && isName(sent[name]))
  if (param === undefined || (error.detail.param ?? param) !== param) return error
  const name = String(sent[param]).trim()
  const suggestions = await finders[param]!(key, name).catch(() => [])
  if (suggestions.length === 0) return error
  return new ToolRefusal(`${param}: ${name.slice(0, 100)} is a name; give the id of the ${error.detail.noun}.`, {
    type: 'not_found',
    param,
    code: error.detail.code,
    noun: error.detail.noun,
    suggestions,
  })
}

const maxName = 100

const isName = (sent: unknown): boolean => {
  if (typeof sent !== 'string' || sent.length > maxName) return false
  return sent.trim().length > 1 && !prefixes.some((prefix) => sent.startsWith(`${prefix}_`))
}

/** At most this many calendars. */
const maxCalendars = 200
const behindMs = 14 * dayMs
const aheadMs = 350 * dayMs

/** Among the events of the last weeks and the coming year, future ones first. */
async function findEvents({ app, actor }: Key, name: string): Promise<Suggestion[]> {
  const now = app.clock.now()
  const calendars = await calendarChoices(app, actor, maxCalendars)
  const ids = calendars.map(({ id }) => decodeId('cal', id)!)
  const window = { start: new Date(now.getTime() - behindMs), end: new Date(now.getTime() + aheadMs) }
  const { items } = await listWindow(app, actor, ids, { ...window, query: name, limit: maxFound, offset: 0 })
  const titled = items.filter(({ title }) => holdsLike(title, name))
  const first = [...new Map(titled.toReversed().map((event) => [event.id, event])).values()].toReversed()
  const isOver = ({ endTime }: EventInstanceRecord) => Date.parse(endTime) <= now.getTime()
  const sorted = first.sort((a, b) => Number(isOver(a)) - Number(isOver(b)) || differs(a.title, b.title, name))
  return sorted.slice(0, maxSuggestions).map(({ id, title, startTime, endTime, allDay, calendarId }) => {
    const { timezone = 'UTC' } = calendars.find((one) => one.id === calendarId) ?? {}
    const times = { startMs: Date.parse(startTime), endMs: Date.parse(endTime), allDay }
    return { arguments: { event_id: id }, note: title, when: whenOf(times, eventZones(undefined, timezone), now) }
  })
}

/** Feeds are listed by agent. */
async function findFeeds(key: Key, name: string): Promise<Suggestion[]> {
  const agents = await agentChoices(key.app, key.actor, maxAgents)
  const lists = agents.map(({ id }) =>
    inList('subscription_id', 'listIcalSubscriptions', 'data', ['label', 'url'], { agent_id: id })(key, name),
  )
  return (await Promise.all(lists)).flat().slice(0, maxSuggestions)
}

const maxAgents = 5

/** Looks through the newest of a list, in the fields that hold names. `page`: empty for a list without pages. */
function inList(
  param: string,
  operation: string,
  list: string,
  fields: readonly string[],
  params = {},
  page: object = { limit: maxFound },
): Find {
  return async ({ app, actor }, name) => {
    const found = await callOperation<Record<string, Json[]>>({ app, actor, arguments: {} }, routeNamed(operation), {
      params,
      query: { ...page },
    })
    return found[list]!.flatMap((record) => {
      const text = fields.map((field) => record[field]).find((one) => typeof one === 'string' && holdsLike(one, name))
      return typeof text === 'string' ? [{ arguments: { [param]: record.id }, note: text }] : []
    })
      .sort((a, b) => differs(a.note, b.note, name))
      .slice(0, maxSuggestions)
  }
}

/** Exact matches first. */
const differs = (one: string, other: string, name: string): number =>
  Number(!isAlike(one, name)) - Number(!isAlike(other, name))
