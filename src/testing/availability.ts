// Questions about free time, and events of every kind to ask them of.
import assert from 'node:assert/strict'
import { decodeId, newId } from '../shapes/ids.ts'
import { perFile, serviceTest } from './test.ts'

export type Query = Record<string, string | undefined>

/** The morning of Tuesday, 3 March 2026, after the set time. */
export const morning = { start: '2026-03-03T09:00:00Z', end: '2026-03-03T12:00:00Z' }
export const at = (time: string) => `2026-03-03T${time}:00.000Z`
export const event = (start: string, end: string, more: object = {}) => ({
  start_time: at(start),
  end_time: at(end),
  ...more,
})
/** `09:00-09:30` of that morning. */
export const short = (stretches: { start: string; end: string }[]) =>
  stretches.map(({ start, end }) => `${start.slice(11, 16)}-${end.slice(11, 16)}`)

/** `serviceTest` with questions about free time. */
export const availabilityTest = () =>
  serviceTest().extend('desk', perFile, ({ service, key, organization }) => {
    const ask = (path: string, query: Query, as = key) => {
      const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
      return service.call('GET', `${path}?${new URLSearchParams(given)}`, { key: as })
    }
    const askCalendar = (id: string, query: Query, as = key) => ask(`/v1/calendars/${id}/availability`, query, as)
    const askAgent = (id: string, query: Query, as = key) => ask(`/v1/agents/${id}/availability`, query, as)
    const askAgents = (agents: readonly string[], query: Query, as = key) =>
      ask('/v1/availability', { agents: agents.join(','), ...query }, as)
    const setRules = async (calendarId: string, body: object) => {
      const answer = await service.call('PUT', `/v1/calendars/${calendarId}/availability-rules`, { key, body })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
    /** Series cannot be made over the API yet. Counts on the revision, as every change of a calendar does. */
    async function insertEvent(calendarId: string, columns: Record<string, unknown>, orgId = organization.id) {
      const { sql } = service.app
      const ids = { org_id: decodeId('org', orgId)!, calendar_id: decodeId('cal', calendarId)! }
      const now = service.clock.now()
      const row = {
        ...ids,
        id: newId(),
        title_sealed: Buffer.from('x'),
        status: 'confirmed',
        metadata: '{}',
        created_at: now,
        updated_at: now,
        ...columns,
      }
      for (const [name, value] of Object.entries(row)) {
        if (/_(time|at)$/.test(name)) Object.assign(row, { [name]: new Date(value as string | Date) })
      }
      await sql`insert into events ${sql(row as never)}`
      await sql`update calendars set revision = revision + 1 where id = ${ids.calendar_id}`
    }
    return { ask, askCalendar, askAgent, askAgents, setRules, insertEvent }
  })
