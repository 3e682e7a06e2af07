import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { feedTest, linesOf, pathOf, propertyIn } from '../../src/testing/feeds.ts'

const test = feedTest()

test('the current ETag answers 304: alone, weak, in a list or as *; the cache directives change nothing', async ({
  desk,
}) => {
  await desk.make({})
  const etag = (await desk.fetchFeed()).headers.get('etag')!
  assert.match(etag, /^"[^"]+"$/)
  for (const given of [etag, `W/${etag}`, `"other", ${etag}`, `"a",W/${etag}, "b"`, '*', ' * ']) {
    const answer = await desk.fetchFeed({ 'if-none-match': given, 'cache-control': 'no-cache' })
    assert.equal(answer.status, 304, given)
    assert.equal(answer.body, '')
    assert.equal(answer.headers.get('etag'), etag)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
  }
  for (const given of ['"other"', etag.slice(1, -1), '']) {
    assert.equal((await desk.fetchFeed({ 'if-none-match': given })).status, 200, given)
  }
})

test('an expired hold changes the feed and its ETag at that instant, and its timer changes only the ETag', async ({
  service,
  desk,
}) => {
  const hold = await makeHold(service, desk.key, desk.calendar.id)
  const living = await desk.fetchFeed()
  await service.clock.set(new Date(Date.parse(hold.holdExpiresAt) - 1))
  assert.equal((await desk.fetchFeed({ 'if-none-match': living.headers.get('etag')! })).status, 304)
  await service.clock.set(hold.holdExpiresAt)
  const lapsed = await desk.fetchFeed({ 'if-none-match': living.headers.get('etag')! })
  assert.equal(lapsed.status, 200)
  assert.equal(propertyIn(linesOf(lapsed.body), 'SEQUENCE'), 'SEQUENCE:1')
  await service.drain()
  const settled = await desk.fetchFeed({ 'if-none-match': lapsed.headers.get('etag')! })
  assert.equal(settled.status, 200)
  assert.equal(settled.body, lapsed.body)
})

test('every change of the feed changes its ETag, and not that of another calendar', async ({ service, desk }) => {
  const agent = await makeAgent(service, desk.key)
  const owned = await makeCalendar(service, desk.key, agent.id)
  const other = await makeCalendar(service, desk.key)
  const otherTag = (await desk.fetchFeed({}, other)).headers.get('etag')
  const seen = new Set<string>()
  const look = async () => seen.add((await desk.fetchFeed({}, owned)).headers.get('etag')!)
  const change = (method: string, path: string, given?: object) =>
    service.call(method, path, { key: desk.key, body: given })
  await look()
  const event = await makeEvent(service, desk.key, owned.id, {})
  await look()
  await change('PATCH', `/v1/calendars/${owned.id}/events/${event.id}`, { title: 'x' })
  await look()
  const hold = await makeHold(service, desk.key, owned.id)
  await look()
  await change('PUT', `/v1/events/${hold.id}/confirm`)
  await look()
  await change('PATCH', `/v1/calendars/${owned.id}`, { name: 'Other' })
  await look()
  await change('PATCH', `/v1/calendars/${owned.id}`, { default_reminders: [7] })
  await look()
  await change('DELETE', `/v1/calendars/${owned.id}/events/${event.id}`)
  await look()
  assert.equal(seen.size, 8)
  assert.equal((await desk.fetchFeed({}, other)).headers.get('etag'), otherTag)
})

test('a HEAD request gets the headers and no body', async ({ service, desk }) => {
  await desk.make({})
  const whole = await desk.fetchFeed()
  const head = await service.call('HEAD', pathOf(desk.calendar))
  assert.equal(head.status, 200)
  assert.equal(head.body, '')
  assert.equal(head.headers.get('etag'), whole.headers.get('etag'))
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(whole.body)))
})

test('while events are written, every answer is complete and matches its ETag', async ({ desk }) => {
  const byTag = new Map<string, string>()
  const writing = Promise.all(Array.from({ length: 20 }, (_, nth) => desk.make({ title: `${nth}` })))
  const reading = Promise.all(
    Array.from({ length: 20 }, async (_, nth) => {
      await new Promise((resolve) => setTimeout(resolve, nth * 5))
      const { headers, body: text } = await desk.fetchFeed()
      assert.ok(text.endsWith('END:VCALENDAR\r\n'))
      const etag = headers.get('etag')!
      assert.equal(byTag.get(etag) ?? text, text)
      byTag.set(etag, text)
    }),
  )
  await Promise.all([writing, reading])
})
