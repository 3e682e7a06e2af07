// Calendars of several agents, and the requests that place and end hold groups on them.
import assert from 'node:assert/strict'
import { decodeId, type PublicId } from '../shapes/ids.ts'
import { ahead, makeAgent, makeCalendar } from './factories.ts'
import { type TestService, testStart } from './harness.ts'
import type { Receiver } from './receiver.ts'
import { perFile, serviceTest } from './test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

export const groupTypes = [
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

/** How often Postgres has ended a deadlock of this database. */
export async function countDeadlocks({ app }: TestService): Promise<number> {
  const [row] = await app.sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`
  return row!.deadlocks
}

type Seen = {
  ids: readonly string[]
  get(id: string): Promise<Any>
  eventsOn(nth: number): Promise<Any[]>
}

/**
 * No two holds that stand meet on one calendar, nor two members of groups, and every group is whole or gone. A single hold may meet what
 * is confirmed.
 */
export async function assertWhole(desk: Seen, groupIds: readonly string[]): Promise<void> {
  const living = new Set<string>()
  for (const id of groupIds) {
    const group = await desk.get(id)
    for (const { need, members } of group.requirements) {
      const statuses = members.map(({ status }: Any) => status)
      const held = statuses.filter((status: string) => status === 'hold').length
      const confirmed = statuses.filter((status: string) => status === 'confirmed').length
      if (group.status === 'held') assert.ok(held >= need, JSON.stringify(group))
      else if (group.status === 'confirmed') assert.deepEqual([confirmed, held], [need, 0], JSON.stringify(group))
      else assert.deepEqual([confirmed, held], [0, 0], JSON.stringify(group))
      for (const { event_id, status } of members) if (status !== 'cancelled') living.add(event_id)
    }
  }
  for (const nth of desk.ids.keys()) {
    const standing = (await desk.eventsOn(nth)).filter(({ status }) => status === 'hold' || status === 'confirmed')
    for (const [start, ones] of Map.groupBy(standing, ({ startTime }) => startTime)) {
      const holds = ones.filter(({ status }) => status === 'hold')
      const members = ones.filter(({ holdGroupId }) => holdGroupId)
      assert.ok(holds.length <= 1 && members.length <= 1, `calendar ${nth} at ${start}: ${JSON.stringify(ones)}`)
    }
    for (const { id, holdGroupId } of standing) if (holdGroupId) assert.ok(living.has(id), id)
  }
}

/** `serviceTest` with a desk of ten calendars per test. */
export const groupTest = (count = 4) =>
  serviceTest({ plan: 'custom', receives: groupTypes })
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
