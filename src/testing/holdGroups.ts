// Calendars of several agents, and the requests that place and end hold groups on them.
import { decodeId, type PublicId } from '../shapes/ids.ts'
import { ahead, makeAgent, makeCalendar } from './factories.ts'
import { type TestService, testStart } from './harness.ts'
import type { Receiver } from './receiver.ts'
import { perFile, serviceTest } from './test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const types = [
  'event.created',
  'event.updated',
  'event.deleted',
  'event.hold_created',
  'event.hold_expired',
  'event.hold_released',
  'event.hold_confirmed',
  'hold_group.created',
  'hold_group.confirmed',
  'hold_group.released',
  'hold_group.expired',
]

const base = '/v1/hold-groups'

/** Over an hour ahead, for five minutes, each calendar a requirement of its own; `body` may say otherwise. */
export const groupBody = (service: TestService, calendarIds: readonly string[], body: object = {}) => ({
  title: 'Interview',
  start_time: ahead(service, 60),
  end_time: ahead(service, 90),
  hold_expires_at: ahead(service, 5),
  requirements: calendarIds.map((id) => ({ calendar_ids: [id] })),
  ...body,
})

/** Calendars of one new agent each. */
const makeCalendars = (service: TestService, key: string, count: number): Promise<Any[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const agent: Any = await makeAgent(service, key)
      return makeCalendar(service, key, agent.id)
    }),
  )

async function openGroupDesk(service: TestService, key: string, receiver: Receiver, count: number) {
  const calendars = await makeCalendars(service, key, count)
  const ids: string[] = calendars.map(({ id }) => id)
  const call = (method: string, path: string, body?: object, by = service.call) =>
    by(method, `${base}${path}`, { key, ...(body && { body }) })
  return {
    calendars,
    ids,
    at: (minutes: number) => ahead(service, minutes),
    place: (body: object = {}, query = '') => call('POST', query, groupBody(service, ids, body)),
    /** Each requirement as a list of the numbers of calendars, and what it needs. */
    requirements: (...wanted: [numbers: number[], need?: number, spare?: number][]) => ({
      requirements: wanted.map(([numbers, need = 1, spare = 0]) => ({
        calendar_ids: numbers.map((nth) => ids[nth]!),
        need,
        spare,
      })),
    }),
    get: async (id: string): Promise<Any> => (await call('GET', `/${id}`)).body,
    list: async (query = ''): Promise<Any> => (await call('GET', query)).body,
    confirm: (id: string, body?: object, query = '') => call('PUT', `/${id}/confirm${query}`, body),
    release: (id: string, by = service.call) => call('PUT', `/${id}/release`, undefined, by),
    renew: (id: string, body: object) => call('PUT', `/${id}/renew`, body),
    hold: (nth: number, body: object = {}): Promise<Any> =>
      service.call('POST', `/v1/calendars/${ids[nth]}/events`, {
        key,
        body: {
          ...{ title: 'Hold', start_time: ahead(service, 60), end_time: ahead(service, 90) },
          ...{ status: 'hold', hold_expires_at: ahead(service, 5), ...body },
        },
      }),
    event: (nth: number, body: object = {}): Promise<Any> =>
      service.call('POST', `/v1/calendars/${ids[nth]}/events`, {
        key,
        body: { title: 'Meeting', start_time: ahead(service, 60), end_time: ahead(service, 90), ...body },
      }),
    eventsOn: async (nth: number): Promise<Any[]> =>
      (await service.call('GET', `/v1/calendars/${ids[nth]}/events`, { key })).body.data,
    /** On which calendars a group holds a time, by their numbers. */
    heldOn: (group: Any): number[] =>
      group.requirements.flatMap(({ members }: Any) => members.map((member: Any) => ids.indexOf(member.calendar_id))),
    statuses: (group: Any): string[] =>
      group.requirements.flatMap(({ members }: Any) => members.map(({ status }: Any) => status)),
    /** The emissions of these calendars, each with the number of its calendar. */
    async told(): Promise<string[]> {
      await service.drain()
      const lines = receiver.received.flatMap(({ type, payload }) => {
        const [member] = payload.hold_group?.requirements[0].members ?? []
        if (member) return ids.includes(member.calendar_id) ? [type] : []
        const nth = ids.indexOf(payload.calendar_id)
        return nth < 0 && payload.calendar_id ? [] : [nth < 0 ? type : `${type} ${nth}`]
      })
      receiver.received.length = 0
      return lines
    },
    uuid: (id: string) => decodeId(id.slice(0, 3) as 'cal', id as PublicId)!,
  }
}

/** `serviceTest` with a desk of ten calendars per test. */
export const groupTest = (count = 4) =>
  serviceTest({ plan: 'custom', receives: types })
    .extend(
      'openDesk',
      perFile,
      ({ service, key, receiver }) =>
        (calendars = count) =>
          openGroupDesk(service, key, receiver, calendars),
    )
    .extend('desk', async ({ service, receiver, openDesk }) => {
      await service.clock.set(testStart)
      const desk = await openDesk()
      await service.drain()
      receiver.received.length = 0
      return desk
    })
