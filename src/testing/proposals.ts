// Proposals with two slots that agents respond to, and what comes of them.
// Responding, resolving and cancelling.
import assert from 'node:assert/strict'
import type { EventType } from '../webhooks/catalog.ts'
import { ahead, makeAgent, makeCalendar, makeProposal } from './factories.ts'
import { type TestService, testStart } from './harness.ts'
import { perFile, serviceTest } from './test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
export type Any = any
type Parties = { key: string; agents: Any[]; calendar: Any }

export const base = '/v1/scheduling/proposals'
const types: EventType[] = [
  'proposal.created',
  'proposal.responded',
  'proposal.confirmed',
  'proposal.cancelled',
  'proposal.expired',
  'event.created',
  'event.started',
  'event.ended',
  'event.reminder',
]

export async function makeParties(service: TestService, of: string, count: number): Promise<Parties> {
  const agents = await Promise.all(Array.from({ length: count }, () => makeAgent(service, of)))
  return { key: of, agents, calendar: await makeCalendar(service, of) }
}

/** `serviceTest` with a proposal per test, to three agents; the receiver hears of proposals and events. */
export const proposalTest = () =>
  serviceTest({ receives: types })
    .extend('ours', perFile, ({ service, key }) => makeParties(service, key, 3))
    .extend('desk', async ({ service, key, receiver, ours }) => {
      await service.clock.set(testStart)
      await service.app.sql`delete from timers`
      receiver.received.length = 0
      /** As it is read after its creation: two slots, one and two hours ahead. */
      let proposal: Any
      const at = (minutes: number) => ahead(service, minutes)
      const slot = (start: number, more: object = {}) => ({ start_time: at(start), end_time: at(start + 30), ...more })
      /** To all of the parties, the first of whom asks. Forgets `proposal.created`. */
      async function propose(more: object = {}, parties = ours) {
        const { id } = await makeProposal(service, parties.key, {
          organizer_agent_id: parties.agents[0].id,
          participant_agent_ids: parties.agents.map((agent) => agent.id),
          calendar_id: parties.calendar.id,
          ...more,
        })
        proposal = await read(id, parties.key)
        await service.drain()
        receiver.received.length = 0
        return proposal
      }
      const read = async (id = proposal.id, of = key) => (await service.call('GET', `${base}/${id}`, { key: of })).body
      /** The receiver is told before anything else happens: what different changes tell may arrive in any order. */
      async function send(body: object, of = key) {
        const answered = await service.call('POST', `${base}/${proposal.id}/respond`, { key: of, body })
        await service.drain()
        return answered
      }
      const accept = (nth: number, slotNth = 0, parties = ours) =>
        send(
          { agent_id: parties.agents[nth].id, response: 'accept', selected_slot_id: proposal.slots[slotNth].id },
          parties.key,
        )
      const answer = (nth: number, response: 'decline' | 'counter', parties = ours) =>
        send({ agent_id: parties.agents[nth].id, response }, parties.key)
      const resolve = (of = key) => service.call('POST', `${base}/${proposal.id}/resolve`, { key: of })
      const cancel = (of = key) => service.call('POST', `${base}/${proposal.id}/cancel`, { key: of })
      const resolvedSlot = (nth: number, calendarId = ours.calendar.id) => ({
        ...proposal.slots[nth],
        calendar_id: calendarId,
      })
      /** The emissions about this proposal and its result. */
      async function told() {
        await service.drain()
        return receiver.received.map(({ type, payload }) => ({ type, payload }))
      }
      const eventOf = async (calendarId: string, eventId: string, of = key) =>
        (await service.call('GET', `/v1/calendars/${calendarId}/events/${eventId}`, { key: of })).body
      const eventsOf = async (calendarId: string, of = key) =>
        (await service.call('GET', `/v1/calendars/${calendarId}/events`, { key: of })).body.data
      async function assertStays(status: string, responses: number, of = key) {
        const now = await read(proposal.id, of)
        assert.deepEqual([now.status, now.responses.length], [status, responses])
        return now
      }
      return {
        at,
        slot,
        propose,
        read,
        send,
        accept,
        answer,
        resolve,
        cancel,
        resolvedSlot,
        told,
        eventOf,
        eventsOf,
        assertStays,
      }
    })
