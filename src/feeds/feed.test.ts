// A feed that is written from the last one against the same feed written whole by a process that remembers nothing.
// SEED=n repeats a run.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type App, closeApp, openApp } from '../app.ts'
import { ahead, makeCalendar, makeEvent, makeHold, makeOrganization } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { feedByToken } from './feed.ts'

const test = serviceTest()
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`feeds after changes: SEED=${seed}`)

const tokenOf = ({ ical_url: url }: { ical_url: string }) => url.split('/').at(-1)!.replace('.ics', '')

async function read(app: App, token: string) {
  const feed = await feedByToken(app, token, () => false)
  assert.equal(feed.kind, 'feed')
  return feed.kind === 'feed' ? { etag: feed.etag, text: feed.body.toString() } : assert.fail()
}

async function readAfresh(service: TestService, token: string) {
  const app = openApp(service.app.config, {
    ...{ name: 'test, a fresh process', connections: 1 },
    ...{ statementDeadlineMs: 20_000, clock: service.clock },
  })
  return read(app, token).finally(() => closeApp(app))
}

const number = fc.nat(1_000)
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('make', 'edit', 'move', 'remove' as const), number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('hold', 'confirm', 'wait', 'drain' as const), number }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('series', 'allDay', 'rename', 'reminders', 'zone' as const), number }),
  },
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function openDesk(service: TestService) {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const path = `/v1/calendars/${calendar.id}/events`
  const ids: string[] = []
  const holds: string[] = []
  const call = (method: string, to: string, body?: object) => service.call(method, to, { key, body })
  const make = async (body: object = {}) => ids.push((await makeEvent(service, key, calendar.id, body)).id)
  const edit = (number: number, body: object) =>
    ids.length > 0 ? call('PATCH', `${path}/${ids[number % ids.length]}`, body) : undefined
  const times = (number: number) => ({
    start_time: ahead(service, 60 + (number % 50)),
    end_time: ahead(service, 120 + (number % 50)),
  })
  const day = () => new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
  const changes: Record<Change['kind'], (number: number) => Promise<unknown> | unknown> = {
    make: (number) => make({ title: `Made ${number}`, ...times(number) }),
    edit: (number) => edit(number, { title: `Edited; ${number}`, description: number % 2 ? 'é'.repeat(number) : null }),
    move: (number) => edit(number, times(number)),
    remove: (number) => ids.length > 0 && call('DELETE', `${path}/${ids.splice(number % ids.length, 1)[0]}`),
    hold: async (number) => {
      const times = { start_time: ahead(service, number * 90), end_time: ahead(service, number * 90 + 30) }
      const body = { status: 'hold', title: 'Hold', hold_expires_at: ahead(service, 5), ...times }
      const answer = await call('POST', path, body)
      if (answer.status === 201) holds.push(answer.body.id)
    },
    confirm: () => holds.length > 0 && call('PUT', `/v1/events/${holds.pop()}/confirm`),
    wait: (number) => service.clock.advance((number + 1) * 1_000),
    drain: () => service.drain(),
    series: (number) => make({ title: 'Series', recurrence_rule: `FREQ=DAILY;COUNT=${(number % 9) + 1}` }),
    allDay: () => make({ all_day: true, start_time: `${day()}T00:00:00Z`, end_time: `${day()}T23:00:00Z` }),
    rename: (number) => call('PATCH', `/v1/calendars/${calendar.id}`, { name: `Name ${number}` }),
    reminders: (number) => call('PATCH', `/v1/calendars/${calendar.id}`, { default_reminders: [(number % 60) + 1] }),
    zone: (number) =>
      call('PATCH', `/v1/calendars/${calendar.id}`, { timezone: number % 2 ? 'Asia/Tokyo' : 'America/New_York' }),
  }
  return { key, calendar, token: tokenOf(calendar), change: ({ kind, number }: Change) => changes[kind](number) }
}

test('after any changes a feed is the one that a fresh process writes', async ({ service }) => {
  const runs = fc.array(fc.tuple(change, fc.boolean()), { minLength: 8, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(runs, async (steps) => {
      const desk = await openDesk(service)
      for (const [step, isRead] of [...steps, [{ kind: 'edit', number: 1 }, true] as const]) {
        await desk.change(step)
        if (isRead) assert.deepEqual(await read(service.app, desk.token), await readAfresh(service, desk.token))
      }
    }),
    { seed, numRuns: 12, endOnFailure: true },
  )
})

test('what changes the lines of every event writes them all again', async ({ service }) => {
  const desk = await openDesk(service)
  await desk.change({ kind: 'make', number: 1 })
  await desk.change({ kind: 'allDay', number: 1 })
  await read(service.app, desk.token)
  await desk.change({ kind: 'reminders', number: 41 })
  assert.match((await read(service.app, desk.token)).text, /TRIGGER:-PT42M/)
  await desk.change({ kind: 'zone', number: 1 })
  assert.deepEqual(await read(service.app, desk.token), await readAfresh(service, desk.token))
})

test('a change that is older than the last one, by the clock of another process, is in the feed', async ({
  service,
  second,
}) => {
  const desk = await openDesk(service)
  const first = await makeEvent(service, desk.key, desk.calendar.id)
  await service.clock.advance(60_000)
  await makeEvent(service, desk.key, desk.calendar.id)
  await read(service.app, desk.token)
  const path = `/v1/calendars/${desk.calendar.id}/events/${first.id}`
  const past = { now: () => new Date(service.clock.now().getTime() - 50_000) }
  const { clock } = second.app
  second.app.clock = past as typeof clock
  assert.equal((await second.call('PATCH', path, { key: desk.key, body: { title: 'Late' } })).status, 200)
  second.app.clock = clock
  const feed = await read(service.app, desk.token)
  assert.match(feed.text, /SUMMARY:Late/)
  assert.deepEqual(feed, await readAfresh(service, desk.token))
})

test('feeds of several organizations that are read in turns hold only their own events', async ({ service }) => {
  const desks = await Promise.all(Array.from({ length: 3 }, () => openDesk(service)))
  for (let round = 0; round < 4; round++) {
    await Promise.all(
      desks.map((desk, nth) => makeEvent(service, desk.key, desk.calendar.id, { title: `${nth} ${round}` })),
    )
    const texts = await Promise.all(desks.map(async ({ token }) => (await read(service.app, token)).text))
    texts.forEach((text, nth) => {
      const titles = [...text.matchAll(/SUMMARY:(.*)\r/g)].map(([, title]) => title).sort()
      assert.deepEqual(titles, Array.from({ length: round + 1 }, (_, of) => `${nth} ${of}`).sort())
    })
  }
})

test('a text that is remembered opens nothing: a removed calendar and an old address are not found', async ({
  service,
}) => {
  const desk = await openDesk(service)
  await makeHold(service, desk.key, desk.calendar.id)
  await read(service.app, desk.token)
  const { sql } = service.app
  await sql`update calendars set feed_token_hash = sha256('another') where feed_token_hash = sha256(${desk.token}::bytea)`
  await assert.rejects(read(service.app, desk.token), { type: 'not_found' })
  assert.match((await read(service.app, 'another')).text, /SUMMARY:Event/)
  await service.call('DELETE', `/v1/calendars/${desk.calendar.id}`, { key: desk.key })
  await assert.rejects(read(service.app, 'another'), { type: 'not_found' })
})
