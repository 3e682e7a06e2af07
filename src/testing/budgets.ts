// Fixtures of budget tests: a world in which each operation finds its input, and the units that an operation consumes.
import assert from 'node:assert/strict'
import { ahead, makeAgent, makeCalendar, makeHold, makeOrganization, makeProposal } from './factories.ts'
import { gateTest } from './gate.ts'
import type { TestService } from './harness.ts'
import { perFile } from './test.ts'

export const periodSeconds = 30 * 24 * 60 * 60
export const proposals = '/v1/scheduling/proposals'
export const weekly = 'FREQ=WEEKLY;COUNT=3'

/** Counts used, by the name of their limit. */
export type Used = Record<string, number>

/** An organization with one record of each kind, the paths to them, and bodies for further ones. */
async function openWorld(service: TestService, limits?: Record<string, number | null>) {
  const { key } = await makeOrganization(service, { plan: 'custom', limits })
  const at = (minutes: number) => ahead(service, minutes)
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const calendar = await makeCalendar(service, key, agent.id)
  const hold = await makeHold(service, key, calendar.id, { start_time: at(600), end_time: at(630) })
  const proposal = await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id, other.id],
    calendar_id: calendar.id,
  })
  const body = { calendar_id: calendar.id, title: 'Book me' }
  const page = await service.call('POST', '/v1/booking-pages', { key, body })
  assert.equal(page.status, 201, JSON.stringify(page.body))
  const slot = () => ({ start_time: at(60), end_time: at(90) })
  const newEvent = (more: object = {}) => ({ title: 'Event', ...slot(), ...more })
  return {
    key,
    agent: agent.id as string,
    other: other.id as string,
    calendar: calendar.id as string,
    hold: hold.id as string,
    proposal: proposal.id as string,
    slug: page.body.slug as string,
    events: `/v1/calendars/${calendar.id}/events`,
    rules: `/v1/calendars/${calendar.id}/availability-rules`,
    respond: `${proposals}/${proposal.id}/respond`,
    at,
    range: () => `start=${at(0)}&end=${at(600)}`,
    window: () => `start_after=${at(0)}&start_before=${at(600)}`,
    newEvent,
    newHold: (more: object = {}) => newEvent({ status: 'hold', hold_expires_at: at(5), ...more }),
    newProposal: (more: object = {}) => ({
      title: 'P',
      organizer_agent_id: agent.id,
      participant_agent_ids: [agent.id],
      calendar_id: calendar.id,
      slots: [slot()],
      ...more,
    }),
  }
}
export type World = Awaited<ReturnType<typeof openWorld>>

export const budgetsTest = () =>
  gateTest()
    .extend(
      'openWorld',
      perFile,
      ({ service }) =>
        (limits?: Record<string, number | null>) =>
          openWorld(service, limits),
    )
    .extend('usage', perFile, ({ call }) => async (key: string): Promise<Used> => {
      const { status, body } = await call('GET', '/v1/usage', { key })
      assert.equal(status, 200, JSON.stringify(body))
      const meters = Object.entries(body).filter(([, value]) => typeof value === 'object' && value !== null)
      return Object.fromEntries(meters.map(([name, value]) => [name, (value as { used: number }).used]))
    })
    /** The changes of `operation`, without the call itself: `holds` are those that live. */
    .extend(
      'consumed',
      perFile,
      ({ usage }) =>
        async (key: string, operation: () => Promise<unknown>): Promise<Used> => {
          const before = await usage(key)
          await operation()
          const later = await usage(key)
          later.api_calls = later.api_calls! - 1
          return Object.fromEntries(
            Object.entries(later)
              .map(([name, used]) => [name, used - before[name]!] as const)
              .filter(([, difference]) => difference !== 0),
          )
        },
    )
