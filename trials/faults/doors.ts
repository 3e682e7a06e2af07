// Changes of events, through either door: REST, or the tools of MCP.
import type { Caller } from './client.ts'
import { hasId } from './identity.ts'
import type { Change } from './ledger.ts'

type Event = Record<string, unknown>
type Created = { status: number; id: string | undefined; etag?: string | undefined }
type Changed = { id: string; calendarId: string; change: Exclude<Change, 'create'>; body?: Event | undefined }

/** `status`: as REST answers; 0 and 5xx: the outcome is unknown. */
export type Door = {
  /** With a `key` it may be repeated. */
  create(caller: Caller, asked: { calendarId: string; event: Event; key?: string }): Promise<Created>
  change(caller: Caller, asked: Changed): Promise<{ status: number }>
}

export const routes: Door = {
  async create({ call }, { calendarId, event, key }) {
    const headers = key === undefined ? undefined : { 'idempotency-key': key }
    const { status, body, etag } = await call('POST', `/v1/calendars/${calendarId}/events`, event, undefined, headers)
    return { status, id: body?.id, etag }
  },
  change({ call }, { id, calendarId, change, body }) {
    const path = `/v1/calendars/${calendarId}/events/${id}`
    if (change === 'delete') return call('DELETE', path)
    if (change === 'update') return call('PATCH', path, body, hasId(id))
    return call('PUT', `/v1/events/${id}/${change}`, undefined, hasId(id))
  },
}

const toolOf = { update: 'update_event', delete: 'cancel_event', confirm: 'confirm_event', release: 'release_event' }

export const tools: Door = {
  async create({ call }, { calendarId, event, key }) {
    const given = { ...asArguments(event), calendar_id: calendarId, ...(key !== undefined && { idempotency_key: key }) }
    const { status, body } = await call('POST', '/mcp', toolCall('create_event', given), madeFor(calendarId))
    const isMade = status === 200
    return { status: isMade ? 201 : status, id: isMade ? body.result.structuredContent.event.id : undefined }
  },
  change({ call }, { id, change, body = {} }) {
    const given = change === 'update' ? asArguments(body) : {}
    return call('POST', '/mcp', toolCall(toolOf[change], { ...given, event_id: id }), isAbout(id))
  },
}

/** A tool refuses a taken time by default; a route accepts it by default. */
function asArguments({ require_free, ...event }: Event): Event {
  return { ...event, on_conflict: require_free === true ? 'refuse' : 'allow' }
}

/** A call over MCP, as a host makes it. */
export const toolCall = (name: string, args: object) => request('tools/call', { name, arguments: args })

export const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

type Shown = { result?: { structuredContent?: { event?: { id?: string; calendar_id?: string } } } }

const eventIn = ({ result }: Shown) => result?.structuredContent?.event
const isAbout = (id: string) => (body: Shown) => eventIn(body)?.id === id
const madeFor = (calendarId: string) => (body: Shown) => eventIn(body)?.calendar_id === calendarId
