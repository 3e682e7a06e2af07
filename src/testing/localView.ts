// Records in the local view, and the routes that have it.
import assert from 'node:assert/strict'
import { routes } from '../../api/routes.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent } from './factories.ts'
import { perFile, serviceTest } from './test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const timezone = 'Europe/Berlin'

const day = 'start=2026-12-01T00:00:00Z&end=2026-12-02T00:00:00Z&'

function requiredOf(path: string): string {
  if (path === '/v1/events') return `${day}calendar_ids=cal_none&`
  if (path === '/v1/availability') return `${day}agents=agt_none&`
  return /\/availability(\/check)?$/.test(path) ? day : ''
}

/** The path of every route that takes `view`, and the parameters that it requires. */
export const viewed = routes
  .filter(({ local }) => local)
  .map(({ method, path }) => ({
    method,
    path: path.replace(/:\w+/g, 'none'),
    required: requiredOf(path),
  }))

/** The answer without any `local`: as it is without the view. */
export function withoutLocal(answer: Any): Any {
  if (Array.isArray(answer)) return answer.map(withoutLocal)
  if (typeof answer !== 'object' || answer === null) return answer
  const kept = Object.entries(answer).filter(([key]) => key !== 'local')
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutLocal(value)]))
}

/** `serviceTest` with a calendar in Berlin, an agent, and requests for local times. */
export const localTest = () =>
  serviceTest()
    .extend('agent', perFile, ({ service, key }) => makeAgent(service, key))
    .extend('agentKey', perFile, ({ service, key, agent }) => makeAgentKey(service, key, agent.id))
    .extend('parties', perFile, async ({ service, key }) => {
      const agents = [await makeAgent(service, key), await makeAgent(service, key)]
      const calendar = await makeCalendar(service, key, undefined, { timezone })
      const body = {
        title: 'Proposal',
        organizer_agent_id: agents[0].id,
        participant_agent_ids: agents.map(({ id }) => id),
        calendar_id: calendar.id,
        slots: [{ start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T09:30:00Z' }],
      }
      return { agents, body }
    })
    .extend('desk', perFile, async ({ service, key, agent }) => {
      const home = await makeCalendar(service, key, agent.id, { timezone })
      const pathOf = (eventId?: string, calendarId: string = home.id) =>
        `/v1/calendars/${calendarId}/events${eventId ? `/${eventId}` : ''}`
      /** On 1 December 2026, a Tuesday, at 10:00 in Berlin. */
      const body = (more: object = {}) => ({
        title: 'Event',
        start_time: '2026-12-01T09:00:00Z',
        end_time: '2026-12-01T09:30:00Z',
        ...more,
      })
      let holds = 0
      return {
        pathOf,
        body,
        /** At a time of its own. */
        holdBody: () => ({
          title: 'Hold',
          status: 'hold',
          hold_expires_at: ahead(service, 5),
          start_time: ahead(service, ++holds * 60),
          end_time: ahead(service, holds * 60 + 30),
        }),
        calendar: (agentId?: string) => makeCalendar(service, key, agentId, { timezone }),
        make: (more: object = {}, calendarId: string = home.id) => makeEvent(service, key, calendarId, body(more)),
        async get(path: string): Promise<Any> {
          const answer = await service.call('GET', path, { key })
          assert.equal(answer.status, 200, JSON.stringify(answer.body))
          return answer.body
        },
      }
    })
