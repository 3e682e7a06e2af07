import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { openFeedServer, vcalendar, vevent } from '../testing/feedServer.ts'
import { at, importTest, minute, openDesk } from '../testing/imports.ts'
import { until } from '../testing/until.ts'
import { queues } from '../wakeups/jobs.ts'
import { syncsDue } from './due.ts'
import { openSyncer } from './syncer.ts'

const test = importTest()

test('the feed is read every fifteen minutes, give or take ten percent', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar()
  await desk.subscribed()
  await service.clock.advance(13 * minute)
  await service.drain()
  assert.equal(feeds.asked.length, 1)
  await service.clock.advance(4 * minute)
  await service.drain()
  assert.equal(feeds.asked.length, 2)
})

test('failures back off to six hours, give a reason in one line and keep the events; a success resets them', async ({
  service,
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Kept')))
  const id = await desk.subscribed()
  const synced = (await desk.read(id)).last_synced_at
  feeds.answer = (_request, response) => response.writeHead(500).end('no')
  await desk.syncedAgain(id)
  const waits: number[] = []
  for (let failure = 1; failure <= 7; failure++) {
    const [row] = await service.app.sql<{ at: Date }[]>`
      select next_sync_at as at from ical_subscriptions where id = ${decodeId('ics', id)!}`
    waits.push((row!.at.getTime() - service.clock.now().getTime()) / minute)
    await service.clock.set(row!.at)
    await service.drain()
  }
  for (const [nth, usual] of [15, 30, 60, 120, 240, 360, 360].entries()) {
    assert.ok(waits[nth]! >= usual * 0.9 && waits[nth]! <= usual * 1.1, `${waits}`)
  }
  const failing = await desk.read(id)
  assert.equal(failing.status, 'error')
  assert.equal(failing.last_error, 'The feed answered with status 500.')
  assert.equal(failing.last_synced_at, synced)
  assert.deepEqual(await desk.titles(), ['Kept'])
  feeds.answer = (_request, response) => response.end(feeds.body)
  const healed = await desk.syncedAgain(id)
  assert.deepEqual([healed.status, healed.last_error], ['active', null])
  assert.equal(healed.last_synced_at, service.clock.now().toISOString())
})

test('wake-ups that come several times, even at once, lead to one read', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Once')))
  await desk.subscribe()
  const wakeups = await syncsDue.due(service.app, service.clock.now())
  const workers = [openSyncer(service.app), openSyncer(service.app)]
  await Promise.all(
    wakeups.flatMap((wakeup) =>
      wakeup.name === 'sync' ? [...workers, ...workers].map(({ sync }) => sync(wakeup.payload)) : [],
    ),
  )
  assert.equal(feeds.asked.length, 1)
  assert.deepEqual(await desk.titles(), ['Once'])
})

test('a sync that was lost with its worker becomes due again', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'After all')))
  const id = await desk.subscribe()
  await service.app.sql`
    update ical_subscriptions set claim = claim + 1, next_sync_at = ${new Date(service.clock.now().getTime() + 2 * minute)}
    where id = ${decodeId('ics', id)!}`
  await service.drain()
  assert.equal(feeds.asked.length, 0)
  await service.clock.advance(2 * minute)
  await service.drain()
  assert.deepEqual(await desk.titles(), ['After all'])
})

test('no second sync of a subscription starts while the first one waits for other feeds to be parsed', async ({
  service,
  desk,
  feeds,
}) => {
  const body = vcalendar(vevent('one', at(9, 'At last')))
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    feeds.answer = (_request, response) => {
      if (feeds.asked.length > 1) return response.end(body)
      answer = () => response.end(body)
      resolve()
    }
  })
  const id = await desk.subscribe()
  const { sync } = openSyncer(service.app)
  const first = sync(await desk.jobOf(id))
  await asked
  const [fetchMs, readMs, writeMs] = [20_000, 5_000, minute]
  await service.clock.advance(fetchMs + queues.ical.atOnce * readMs + writeMs)
  await service.drain()
  assert.equal(feeds.asked.length, 1)
  answer()
  await first
  assert.deepEqual(await desk.titles(), ['At last'])
})

test('the result of a sync is dropped if its subscription was moved or deleted meanwhile', async ({
  service,
  desk,
  feeds,
}) => {
  const releases: (() => void)[] = []
  feeds.answer = (request, response) => {
    const body = vcalendar(vevent(request.url!, at(9, request.url!)))
    if (request.url === '/slow.ics') releases.push(() => response.end(body))
    else response.end(body)
  }
  const untilAsked = (times: number) => until(() => releases.length >= times)
  const { sync } = openSyncer(service.app)
  const id = await desk.subscribe(feeds.url('slow'))
  const first = sync(await desk.jobOf(id))
  await untilAsked(1)
  await service.call('PATCH', `/v1/ical-subscriptions/${id}`, { key: desk.key, body: { url: feeds.url('quick') } })
  releases[0]!()
  await first
  assert.deepEqual(await desk.titles(), [])
  assert.equal((await desk.read(id)).last_synced_at, null)
  await service.drain()
  assert.deepEqual(await desk.titles(), ['/quick.ics'])
  const gone = await desk.subscribe(feeds.url('slow'))
  const second = service.drain()
  await untilAsked(2)
  await service.call('DELETE', `/v1/ical-subscriptions/${gone}`, { key: desk.key })
  releases[1]!()
  await second
  assert.deepEqual(await desk.titles(), ['/quick.ics'])
})

test('a slow host gets two requests at once per organization, and delays no other host or organization', {
  timeout: 60_000,
}, async ({ service, desk, feeds, onTestFinished }) => {
  const other = await openFeedServer()
  onTestFinished(() => other.close())
  other.body = vcalendar()
  const waiting: { path: string; answer: () => void }[] = []
  feeds.answer = (request, response) =>
    waiting.push({ path: request.url ?? '', answer: () => response.end(vcalendar()) })
  for (let nth = 0; nth < 10; nth++) await desk.subscribe(feeds.url(`slow${nth}`))
  const quick = await desk.subscribe(other.url())
  const { sync } = openSyncer(service.app)
  const syncDue = async (passed: ReadonlySet<string>) => {
    const wakeups = await syncsDue.due(service.app, service.clock.now())
    const rung = wakeups.filter(({ id }) => !passed.has(id))
    return {
      ids: new Set(wakeups.map(({ id }) => id)),
      all: Promise.all(rung.map((one) => one.name === 'sync' && sync(one.payload))),
    }
  }
  const first = await syncDue(new Set())
  await until(async () => (await desk.read(quick)).last_synced_at !== null)
  assert.equal(feeds.asked.length, 2)
  // Three further organizations, on the same host: two have a place at once, the last one has the next.
  const urls: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const further = await openDesk(service, feeds)
    urls.push(new URL(feeds.url(name)).pathname)
    await further.subscribe(feeds.url(name))
  }
  const second = await syncDue(first.ids)
  await until(() => feeds.asked.length >= 4)
  waiting.shift()!.answer()
  await until(() => feeds.asked.length >= 5)
  const paths = () => [...feeds.asked.map(({ url }) => url)]
  assert.deepEqual(paths().slice(2).toSorted(), urls)
  for (let answered = 1; answered < 13; answered++) {
    await until(() => waiting.length > 0)
    waiting.shift()!.answer()
  }
  await Promise.all([first.all, second.all])
  assert.equal(feeds.asked.length, 13)
})
