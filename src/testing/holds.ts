// Holds on one calendar, and the requests that confirm and release them.
import type { App } from '../app.ts'
import { decodeId } from '../shapes/ids.ts'
import { asRead } from './eventRecord.ts'
import { ahead, makeCalendar, makeHold } from './factories.ts'
import { type TestService, testStart } from './harness.ts'
import type { Receiver } from './receiver.ts'
import { perFile, serviceTest } from './test.ts'

const types = [
  'event.hold_created',
  'event.hold_expired',
  'event.hold_released',
  'event.hold_confirmed',
  'event.created',
  'event.updated',
  'event.deleted',
]

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

/** Over an hour ahead, for five minutes; `body` may say otherwise. */
export const holdBody = (service: TestService, body: object = {}) => ({
  title: 'Hold',
  start_time: ahead(service, 60),
  end_time: ahead(service, 90),
  status: 'hold',
  hold_expires_at: ahead(service, 5),
  ...body,
})

export type Desk = Awaited<ReturnType<typeof openDesk>>

/** A calendar of its own, with the requests that a test sends about it. */
async function openDesk(service: TestService, key: string, receiver: Receiver) {
  const calendar: Any = await makeCalendar(service, key)
  const pathOf = (eventId?: string) => `/v1/calendars/${calendar.id}/events${eventId ? `/${eventId}` : ''}`
  return {
    calendar,
    at: (minutes: number) => ahead(service, minutes),
    atMs: (ms: number) => ahead(service, ms / 60_000),
    pathOf,
    place: async (body: object = {}, call = service.call) =>
      asRead(await call('POST', pathOf(), { key, body: holdBody(service, body) })),
    hold: (body: object = {}) => makeHold(service, key, calendar.id, body),
    confirm: async (eventId: string, call = service.call) =>
      asRead(await call('PUT', `/v1/events/${eventId}/confirm`, { key })),
    release: async (eventId: string, call = service.call) =>
      asRead(await call('PUT', `/v1/events/${eventId}/release`, { key })),
    get: async (eventId: string) => (await service.call('GET', pathOf(eventId), { key })).body,
    list: async (query: string) => (await service.call('GET', `${pathOf()}?${query}`, { key })).body,
    /** A change that locks the calendar: what changes its holds waits for it. */
    lock: (sql: App['sql']) => sql`select from calendars where id = ${decodeId('cal', calendar.id)!} for update`,
    /** The emissions about this calendar, by the short name of the hold. */
    told(names: Record<string, string>): string[] {
      const nameOf = (id: string) => Object.keys(names).find((name) => names[name] === id) ?? id
      return receiver.received
        .filter(({ payload }) => payload.calendar_id === calendar.id)
        .map(({ type, payload }) => `${type} ${nameOf(payload.event_id ?? payload.event.id)}`)
    },
    /** The emissions about this hold after its creation. */
    endsOf: (id: string) =>
      receiver.received
        .filter(({ type, payload }) => type !== 'event.hold_created' && (payload.event_id ?? payload.event.id) === id)
        .map(({ type }) => type),
  }
}

/** `serviceTest` with a calendar per test; its first hold is the first that the receiver hears of. */
export const holdTest = () =>
  serviceTest({ plan: 'custom', receives: types })
    .extend(
      'openDesk',
      perFile,
      ({ service, key, receiver }) =>
        () =>
          openDesk(service, key, receiver),
    )
    .extend('desk', async ({ service, receiver, openDesk }) => {
      await service.clock.set(testStart)
      const desk = await openDesk()
      await service.drain()
      receiver.received.length = 0
      return desk
    })
