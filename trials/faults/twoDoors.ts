// An event that is created with a key, through either door: REST, or a tool of MCP.
import type { Caller } from './client.ts'

type Keyed = { calendarId: string; event: object; key: string }
/** As REST would answer; 0 and 5xx: the outcome is unknown, ask again with the same key. */
type Created = { status: number; id: string | undefined }

export async function createByRoute({ call }: Caller, { calendarId, event, key }: Keyed): Promise<Created> {
  const path = `/v1/calendars/${calendarId}/events`
  const { status, body } = await call('POST', path, event, undefined, { 'idempotency-key': key })
  return { status, id: body?.id }
}

export async function createByTool({ call }: Caller, { calendarId, event, key }: Keyed): Promise<Created> {
  const given = { ...event, calendar_id: calendarId, on_conflict: 'allow', idempotency_key: key }
  const params = { name: 'create_event', arguments: given }
  const { status, body } = await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  if (status !== 200) return { status, id: undefined }
  return body.result.isError ? refused(body.result) : { status: 201, id: body.result.structuredContent.event.id }
}

/** A refused call is a result with status 200. */
function refused({ content }: { content: [{ text: string }] }): Created {
  const { type } = JSON.parse(content[0].text).error
  return { status: type === 'internal_error' ? 503 : 400, id: undefined }
}
