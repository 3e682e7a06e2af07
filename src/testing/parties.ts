// Proposals of two organizations, each with its own agents and calendar.
import { ahead, makeAgent, makeCalendar, makeOrganization, makeProposal } from './factories.ts'
import type { TestService } from './harness.ts'
import { perFile, serviceTest } from './test.ts'

export const path = '/v1/scheduling/proposals'
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
export type Any = any

/** An organizer, two participants and a calendar. */
export async function makeParties(service: TestService, of: string) {
  const [organizer, first, second, calendar] = await Promise.all([
    makeAgent(service, of),
    makeAgent(service, of),
    makeAgent(service, of),
    makeCalendar(service, of),
  ])
  return { key: of, organizer, first, second, calendar }
}

/** `serviceTest` with the parties of two organizations, and the requests of the first one. */
export const partiesTest = () =>
  serviceTest()
    .extend('ours', perFile, ({ service, key }) => makeParties(service, key))
    .extend('theirs', perFile, async ({ service }) => makeParties(service, (await makeOrganization(service)).key))
    .extend('desk', perFile, ({ service, key, ours }) => {
      const at = (minutes: number) => ahead(service, minutes)
      const slot = (more: object = {}) => ({ start_time: at(60), end_time: at(90), ...more })
      const bodyOf = (parties: Any, more: object = {}) => ({
        title: 'Review',
        organizer_agent_id: parties.organizer.id,
        participant_agent_ids: [parties.first.id, parties.second.id],
        calendar_id: parties.calendar.id,
        slots: [slot(), slot({ weight: 2.5 })],
        ...more,
      })
      const create = (more: object = {}, parties = ours) =>
        service.call('POST', path, { key: parties.key, body: bodyOf(parties, more) })
      const read = async (id: string) => (await service.call('GET', `${path}/${id}`, { key })).body
      const list = async (query = '', of = key) => (await service.call('GET', `${path}?${query}`, { key: of })).body
      const end = (id: string, how: 'resolve' | 'cancel') => service.call('POST', `${path}/${id}/${how}`, { key })
      const propose = (more: object = {}, parties = ours) =>
        makeProposal(service, parties.key, bodyOf(parties, more) as never)
      return { at, slot, bodyOf, create, read, list, end, propose }
    })
