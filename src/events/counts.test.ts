// After any operations, in any order and at once: the kept counts are the real ones, and the timers are those of the events.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decodeId } from '../shapes/ids.ts'
import { ahead, makeCalendar } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'

const test = serviceTest({ plan: 'custom' })

const status = fc.constantFrom('confirmed', 'tentative', 'cancelled')
const minutes = fc.integer({ min: -5, max: 40 })
const reminders = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 45 }), { maxLength: 3 }))
/** Which event is meant, of those that there are. */
const which = fc.nat(30)

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create'), status, minutes, reminders }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('hold'),
      minutes,
      priority: fc.nat(3),
      lives: fc.integer({ min: 1, max: 15 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('patch'),
      which,
      status: fc.option(status),
      minutes: fc.option(minutes),
      reminders: fc.option(reminders, { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('confirm'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('defaults'), reminders }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drain') }) },
)
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own fields
type Operation = any

/** The request of an operation, or undefined when it means an event and there is none. */
function requestOf(
  service: TestService,
  calendarId: string,
  ids: string[],
  op: Operation,
): [method: string, path: string, body?: object] | undefined {
  const at = (offset: number) => ahead(service, offset)
  const times = (offset: number) => ({ start_time: at(offset), end_time: at(offset + 7) })
  const events = `/v1/calendars/${calendarId}/events`
  const id = ids.length > 0 ? ids[op.which % ids.length] : undefined
  switch (op.kind) {
    case 'create':
      return ['POST', events, { title: 'x', status: op.status, reminders: op.reminders, ...times(op.minutes) }]
    case 'hold': {
      const fields = { status: 'hold', hold_priority: op.priority, hold_expires_at: at(op.lives) }
      return ['POST', events, { title: 'x', ...fields, ...times(op.minutes) }]
    }
    case 'defaults':
      return ['PATCH', `/v1/calendars/${calendarId}`, { default_reminders: op.reminders }]
    case 'patch': {
      const moved = op.minutes === null ? {} : times(op.minutes)
      const rest = {
        ...(op.status && { status: op.status }),
        ...(op.reminders !== undefined && { reminders: op.reminders }),
      }
      return id === undefined ? undefined : ['PATCH', `${events}/${id}`, { title: 'y', ...moved, ...rest }]
    }
    case 'remove':
      return id === undefined ? undefined : ['DELETE', `${events}/${id}`]
    default:
      return id === undefined ? undefined : ['PUT', `/v1/events/${id}/${op.kind}`]
  }
}

/** Does operations for one calendar, by the service or by another process of it, and keeps the ids of its events. */
const runnerOf = (service: TestService, key: string, calendarId: string) => {
  const ids: string[] = []
  return async (op: Operation, call = service.call): Promise<void> => {
    if (op.kind === 'wait') return service.clock.advance(op.minutes * 60_000)
    if (op.kind === 'drain') return service.drain()
    const request = requestOf(service, calendarId, ids, op)
    if (!request) return
    const [method, path, body] = request
    const answer = await call(method, path, { key, body })
    assert.ok(
      [200, 201, 204, 400, 404, 409].includes(answer.status),
      `${method} ${answer.status} ${JSON.stringify(answer.body)}`,
    )
    if (answer.status === 201) ids.push(answer.body.id)
  }
}

type Row = {
  id: string
  status: string
  startTime: Date
  endTime: Date
  holdExpiresAt: Date | null
  reminders: number[] | null
}

/** The moments that are to come, as the specification has them. */
function momentsOf(row: Row, defaults: number[] | null, now: number): string[] {
  const [start, end] = [row.startTime.getTime(), row.endTime.getTime()]
  const moments: [string, number][] = []
  if (row.status === 'hold') moments.push(['hold_expiry 0', row.holdExpiresAt!.getTime()])
  if (row.status === 'confirmed') {
    moments.push(['event_start 0', start], ['event_end 0', end])
    for (const ahead of row.reminders ?? defaults ?? [10])
      moments.push([`event_reminder ${ahead}`, start - ahead * 60_000])
  }
  return moments.filter(([, due]) => due > now).map(([name, due]) => `${row.id} ${name} ${new Date(due).toISOString()}`)
}

async function check(service: TestService, key: string, calendarId: string) {
  const { sql } = service.app
  const id = decodeId('cal', calendarId)!
  const rows = await sql<Row[]>`select * from events where calendar_id = ${id} and deleted_at is null`
  const [kept] = await sql<Record<string, number>[]>`
    select confirmed_events as confirmed, tentative_events as tentative, cancelled_events as cancelled, hold_events as hold
    from calendars where id = ${id}`
  const real = { confirmed: 0, tentative: 0, cancelled: 0, hold: 0, ...count(rows.map((row) => row.status)) }
  assert.deepEqual({ ...kept }, real)
  const [calendar] = await sql<
    { defaultReminders: number[] | null }[]
  >`select default_reminders from calendars where id = ${id}`
  const now = service.clock.now().getTime()
  const timers = await sql<{ subjectId: string; kind: string; offsetMinutes: number; dueAt: Date }[]>`
    select subject_id, kind, offset_minutes, due_at from timers where calendar_id = ${id} and due_at > ${new Date(now)}`
  assert.deepEqual(
    timers
      .map((timer) => `${timer.subjectId} ${timer.kind} ${timer.offsetMinutes} ${timer.dueAt.toISOString()}`)
      .sort(),
    rows.flatMap((row) => momentsOf(row, calendar!.defaultReminders, now)).sort(),
  )
  const shown = (await service.call('GET', `/v1/calendars/${calendarId}/events?limit=200`, { key })).body
  assert.equal(shown.total, rows.length)
  const shownCounts = count(shown.data.map((event: { status: string }) => event.status))
  for (const wanted of ['confirmed', 'tentative', 'cancelled', 'hold']) {
    const { body } = await service.call('GET', `/v1/calendars/${calendarId}/events?limit=1&status=${wanted}`, { key })
    assert.equal(body.total, shownCounts[wanted] ?? 0, wanted)
  }
}

const count = (names: string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

test('after any operations one after the other, counts and timers are those of the events', async ({
  service,
  key,
}) => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
      await service.clock.set(testStart)
      const { id } = await makeCalendar(service, key)
      const run = runnerOf(service, key, id)
      for (const op of operations) await run(op)
      await check(service, key, id)
      await service.drain()
      await check(service, key, id)
    }),
    { numRuns: 20, endOnFailure: true },
  )
})

test('after any operations at once, through two processes, counts and timers are those of the events', async ({
  service,
  second,
  key,
}) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { minLength: 2, maxLength: 8 }), { minLength: 3, maxLength: 6 }),
      async (rounds) => {
        await service.clock.set(testStart)
        const { id } = await makeCalendar(service, key)
        const run = runnerOf(service, key, id)
        for (const operations of rounds) {
          const waits = operations.filter(({ kind }) => kind === 'wait')
          const rest = operations.filter(({ kind }) => kind !== 'wait')
          await Promise.all(rest.map((op, n) => run(op, n % 2 ? second.call : service.call)))
          for (const op of waits.slice(0, 1)) await run(op)
        }
        await service.drain()
        await check(service, key, id)
      },
    ),
    { numRuns: 20, endOnFailure: true },
  )
})
