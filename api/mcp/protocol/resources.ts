// Resources that a host may attach to a conversation: a page about the service, the context of a calendar, the agenda of a day.
import { ServiceError } from '../../../src/errors.ts'
import { shownTo } from '../../../src/outsideText/show.ts'
import type { Gated } from '../../http/route.ts'
import { textOf } from '../language/answer.ts'
import { readArguments } from '../language/arguments.ts'
import { calendarsOf, type Key } from '../language/names.ts'
import { answerOf } from '../language/parts.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { toolNamed } from '../tools/toolTable.ts'
import { about } from './about.ts'
import { ParamsError } from './server.ts'

/** How long a client may keep a resource that never changes, in milliseconds. */
const aboutTtlMs = 300_000

type Resource = {
  /** The route with the same answer: it decides the cost and the access. */
  twin: Gated
  mimeType: string
  ttlMs: number
  read(key: Key): Promise<string>
}

const aboutUri = 'agent-calendar://about'
const markdown = 'text/markdown'
const json = 'application/json'
const counted: Gated = { method: 'get', access: 'key' }

export const resourceTemplates = [
  {
    uriTemplate: 'agent-calendar://calendars/{calendar_id}/context',
    name: 'calendar-context',
    title: 'Context of a calendar',
    description: 'The current event, the next ones and the last changes, as JSON.',
    mimeType: json,
  },
  {
    uriTemplate: 'agent-calendar://calendars/{calendar_id}/days/{date}',
    name: 'calendar-day',
    title: 'Agenda of a day',
    description: 'The events of one day, one per line. The date is YYYY-MM-DD or today.',
    mimeType: markdown,
  },
]

const maxListed = 50

export async function listResources(key: Key) {
  const calendars = await calendarsOf(key, maxListed)
  return [
    {
      uri: aboutUri,
      name: 'about',
      title: 'About Agent Calendar',
      description: 'Concepts, times, errors.',
      mimeType: markdown,
    },
    ...calendars.map(({ id, name }) => ({
      uri: `agent-calendar://calendars/${id}/context`,
      name,
      description: 'The current event, the next ones and the last changes.',
      mimeType: json,
    })),
  ]
}

/** Undefined if no resource has such an address. */
export function resourceAt(uri: unknown): Resource | undefined {
  if (typeof uri !== 'string') return undefined
  if (uri === aboutUri) return { twin: counted, mimeType: markdown, ttlMs: aboutTtlMs, read: async () => about }
  const [, calendarId, context, date] =
    /^agent-calendar:\/\/calendars\/([^/]+)\/(?:(context)|days\/(\d{4}-\d\d-\d\d|today))$/.exec(uri) ?? []
  if (!calendarId) return undefined
  return context ? contextOf(calendarId) : agendaOf(calendarId, date!)
}

const contextOf = (calendarId: string): Resource => ({
  twin: routeNamed('getCalendarContext'),
  mimeType: json,
  ttlMs: 0,
  read: async (key) => textOf(await useTool(key, 'get_calendar_context', { calendar_id: calendarId })),
})

type Agenda = { events: { title: string; when: string; status: string }[]; now: string; total: number }

const agendaOf = (calendarId: string, date: string): Resource => ({
  twin: routeNamed('listEvents'),
  mimeType: markdown,
  ttlMs: 0,
  async read(key) {
    const day = date === 'today' ? await todayOf(key, calendarId) : date
    const page = { calendar_id: calendarId, start: day, end: day, limit: 100 }
    const { events, now, total } = JSON.parse(textOf(await useTool(key, 'list_events', page))) as Agenda
    const lines = events.map(({ when, title, status }) => {
      const shown = status === 'confirmed' ? title : `${title} (${status})`
      return `- ${when}: ${shown.replaceAll(/\s+/g, ' ')}`
    })
    if (lines.length === 0) lines.push('No events.')
    if (events.length < total) lines.push('', `${total - events.length} more: list_events has them.`)
    return [`# ${day}`, '', `Now: ${now}`, '', ...lines, ''].join('\n')
  },
})

/** The local date of a calendar. */
async function todayOf(key: Key, calendarId: string): Promise<string> {
  const { timezone } = (await useTool(key, 'get_calendar_context', { calendar_id: calendarId })) as { timezone: string }
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(key.app.clock.now())
}

/** The answer of the tool; its twin was admitted. */
async function useTool(key: Key, name: string, sent: Record<string, unknown>): Promise<object> {
  const tool = toolNamed(name)!
  return shownTo(key.app, key.actor, await answerOf(tool, { ...key, arguments: readArguments(tool, sent) }))
}

const unknownResource = (uri: unknown) =>
  new ParamsError('Unknown resource. resources/list and resources/templates/list name all.', { uri })

/** For a key, a resource that it may not read does not exist, nor does one of another form. */
const isNotThere = (error: unknown): boolean => error instanceof ServiceError && [400, 403, 404].includes(error.status)

/** The result of `resources/read`. Throws `ParamsError`. */
export async function readResource(key: Key, uri: unknown): Promise<object> {
  const resource = resourceAt(uri)
  if (!resource) throw unknownResource(uri)
  const { mimeType, ttlMs, read } = resource
  try {
    return { contents: [{ uri, mimeType, text: await read(key) }], ttlMs, cacheScope: 'private' }
  } catch (error) {
    throw isNotThere(error) ? unknownResource(uri) : error
  }
}
