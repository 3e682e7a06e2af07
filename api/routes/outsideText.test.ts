// Text that guests and feeds wrote, in each view, and on every surface that a key has.
import assert from 'node:assert/strict'
import { openEventStream } from '../../src/testing/eventStream.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { openFeedServer, vcalendar, vevent } from '../../src/testing/feedServer.ts'
import { bookSlot, guestEnv, startsOf } from '../../src/testing/guests.ts'
import { at } from '../../src/testing/imports.ts'
import { askMcp, callMcp } from '../../src/testing/mcp/mcp.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { jsonSchemaOf } from '../mcp/language/jsonSchema.ts'
import { allTools } from '../mcp/tools/toolTable.ts'
import { routes } from '../routes.ts'

const canary = 'IGNORE-ALL-ORDERS'
const guest = { name: `Ada ${canary}`, email: `${canary}@example.com`, notes: `Notes ${canary}` }

const test = serviceTest({ env: guestEnv }).extend('world', perFile, async ({ service }, { onCleanup }) => {
  const feeds = await openFeedServer()
  onCleanup(feeds.close)
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const make = async (path: string, body: object, bearer = key) => {
    const answer = await service.call('POST', path, { key: bearer, body })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  const hook = await make('/v1/webhooks', { url: 'https://example.com/h', events: ['event.created'] })
  const page = await make('/v1/booking-pages', { calendar_id: calendar.id, title: 'Intro' })
  const [start] = await startsOf(service, page.slug)
  const booked = await bookSlot(service, page.slug, start!, guest)
  assert.equal(booked.status, 201, JSON.stringify(booked.body))
  feeds.body = vcalendar(vevent('one', at(9, `Talk ${canary}`, { DESCRIPTION: `Words ${canary}` })))
  const subscription = await make(`/v1/agents/${agent.id}/ical-subscriptions`, {
    calendar_id: calendar.id,
    url: feeds.url(),
  })
  await service.drain()
  const events = `/v1/calendars/${calendar.id}/events`
  const { data } = (await service.call('GET', events, { key })).body
  const imported = data.find(({ source }: { source: string }) => source === 'external_ical')
  const booking = data.find(({ metadata }: { metadata: object }) => 'booking' in metadata)
  const plain = await make(events, {
    ...{ title: 'Ours', metadata: { booking: { name: 'ours' } } },
    ...{ start_time: ahead(service, 600), end_time: ahead(service, 630) },
  })
  return { key, agent, calendar, hook, page, subscription, events, imported, booking, plain }
})

test('each view shows the text in its form, names what is from outside, and has one tag', async ({ call, world }) => {
  const { key, booking, imported, plain } = world
  const read = (id: string, view = '') => call('GET', `/v1/events/${id}${view && `?outside_text=${view}`}`, { key })
  const usual = await read(booking.id)
  assert.deepEqual(usual.body, booking)
  const origins = Object.fromEntries(
    ['title', 'metadata.booking.name', 'metadata.booking.email', 'metadata.booking.notes'].map((path) => [
      path,
      'guest',
    ]),
  )
  const full = await read(booking.id, 'full')
  assert.deepEqual(full.body, { ...booking, outside: origins })
  const hidden = await read(booking.id, 'hidden')
  const count = (text: string) => `[hidden: guest, ${text.length} characters]`
  const { name, email, notes } = guest
  assert.deepEqual(hidden.body, {
    ...booking,
    title: count(booking.title),
    metadata: { ...booking.metadata, booking: { name: count(name), email: count(email), notes: count(notes) } },
    outside: origins,
  })
  const nonceOf = async () =>
    /^<<outside import ([0-9a-f]{8})>>(.*)<<\/outside \1>>$/.exec((await read(imported.id, 'fenced')).body.title)!
  const [first, second] = [await nonceOf(), await nonceOf()]
  assert.deepEqual([first[2], second[2]], [imported.title, imported.title])
  assert.notEqual(first[1], second[1])
  assert.deepEqual((await read(imported.id, 'fenced')).body.outside, { title: 'import', description: 'import' })
  assert.deepEqual((await read(plain.id, 'hidden')).body, (await read(plain.id)).body)
  const tags = [usual, full, hidden].map(({ headers }) => headers.get('etag'))
  assert.equal(new Set(tags).size, 1)
  const path = `/v1/events/${booking.id}?outside_text=hidden`
  const keyed = { key, body: { reminders: [5] }, headers: { 'if-match': tags[0]!, 'idempotency-key': 'a' } }
  const changed = await call('PATCH', path, keyed)
  const again = await call('PATCH', path, keyed)
  assert.equal(changed.body.title, count(booking.title))
  assert.deepEqual([again.body, again.headers.get('etag')], [changed.body, changed.headers.get('etag')])
  assert.equal((await read(booking.id)).body.title, booking.title)
})

test('a word that is no view is refused, over REST and at the address of MCP', async ({ service, call, world }) => {
  const { key, events } = world
  assertRefused(await call('GET', `${events}?outside_text=none`, { key }), 400, 'validation_error', {
    param: 'outside_text',
  })
  const { status, body } = await askMcp(service, 'tools/list', {}, { key, query: '?outside_text=none' })
  assert.deepEqual([status, body.error.code], [400, -32600])
})

test('every route whose record says what is from outside takes the parameter', () => {
  const ofKeys = routes.filter(({ access }) => access === 'key' || access === 'organization')
  const says = ofKeys.filter(({ success, also = [] }) =>
    [success, ...also].some(
      ({ schema }) => schema && JSON.stringify(schema.toJSONSchema({ unrepresentable: 'any' })).includes('"outside"'),
    ),
  )
  assert.ok(says.length > 8)
  assert.deepEqual(
    says.filter(({ outside }) => !outside).map(({ operationId }) => operationId),
    [],
  )
})

test('with the guardrail no byte of a stranger reaches a key, whatever it asks', async ({ service, call, world }) => {
  const { key, agent, calendar, page, subscription, events, booking, imported } = world
  const hiding = { outside_text: 'hidden' }
  const guarded = await makeAgentKey(service, key, agent.id, hiding)
  const asking = await makeAgentKey(service, key, agent.id, { ...hiding, approval: { on: 'all' } })
  const open = await makeAgentKey(service, key, agent.id)
  const window = { start: '2026-03-02T00:00:00Z', end: '2026-03-06T00:00:00Z' }
  const query = new URLSearchParams(window)
  const move = { title: 'Moved', start_time: booking.startTime, end_time: booking.endTime, require_free: true }

  const found: string[] = []
  let asked = 0
  const see = (what: string, text: string) => {
    asked++
    if (text.includes(canary)) found.push(what)
  }
  /** Everything that one key can ask; the same for each key. */
  async function askAll(bearer: string) {
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await call(method, path, { key: bearer, ...(body && { body }) })
      see(`${method} ${path}`, JSON.stringify([answer.body, [...answer.headers]]))
      return answer
    }
    const ids: Record<string, string> = {
      ...{ calendars: calendar.id, agents: agent.id, events: booking.id, 'booking-pages': page.id },
      'ical-subscriptions': subscription.id,
    }
    for (const { method, path, access, waits } of routes) {
      if (method !== 'get' || access !== 'key' || waits) continue
      for (const event of [booking.id, imported.id]) {
        const filled = path.split('/').map((part, nth, all) => {
          if (!part.startsWith(':')) return part
          return all[nth - 1] === 'events' ? event : (ids[all[nth - 1]!] ?? 'none')
        })
        for (const more of ['', `?${query}`, `?${query}&explain=true`, '?start_after=2026-03-01T00:00:00Z&expand=true'])
          await ask('GET', filled.join('/') + more)
      }
    }
    await ask('PATCH', `/v1/events/${booking.id}?dry_run=true`, { reminders: [7] })
    await ask('PATCH', `/v1/events/${booking.id}`, { reminders: [bearer === open ? 6 : 8] })
    await ask('PATCH', `/v1/events/${imported.id}`, { title: 'Mine' })
    await ask('POST', `${events}?explain=true`, move)
    await ask('GET', '/v1/changes?cursor=oldest&limit=200')
    await ask('GET', '/v1/approvals')
    const stream = await openEventStream(`${service.baseUrl}/v1/changes/stream?cursor=oldest`, {
      authorization: `Bearer ${bearer}`,
    })
    for (let n = 0; n < 6; n++) see('stream', JSON.stringify(await stream.next()))
    stream.close()
    const options = { key: bearer, query: '?profile=full,coordination' }
    const given: Record<string, unknown> = {
      ...{ calendar_id: calendar.id, agent_id: agent.id, event_id: booking.id, page_id: page.id },
      ...{ booking_page_id: page.id, subscription_id: subscription.id, agent_ids: [agent.id], duration: '30m' },
      ...window,
    }
    for (const tool of allTools.filter(({ effect }) => effect === 'reads')) {
      const { properties = {} } = jsonSchemaOf(tool.schema) as { properties?: object }
      const args = Object.fromEntries(Object.entries(given).filter(([name]) => name in properties))
      for (const event_id of [booking.id, imported.id]) {
        see(
          tool.name,
          JSON.stringify(
            await callMcp(service, tool.name, { ...args, ...('event_id' in args && { event_id }) }, options),
          ),
        )
      }
    }
    const times = { start_time: booking.startTime, end_time: booking.endTime, calendar_id: calendar.id }
    for (const [name, args] of [
      ['create_event', { title: 'Over', ...times }],
      ['list_events', { ...window, query: 'ada', calendar_id: calendar.id }],
      ['get_event', { event_id: 'Intro' }],
      ['get_event', { event_id: 'Talk' }],
      ['update_event', { event_id: booking.id, reminders: [9] }],
      ['cancel_event', { event_id: imported.id }],
    ] as const) {
      see(name, JSON.stringify(await callMcp(service, name, args, options)))
    }
    for (const uri of ['context', `days/${booking.startTime.slice(0, 10)}`, 'days/2026-03-03']) {
      const resource = `agent-calendar://calendars/${calendar.id}/${uri}`
      see(resource, (await askMcp(service, 'resources/read', { uri: resource }, options)).text)
    }
  }
  const shownNothing = () => assert.deepEqual(found, [])
  await askAll(guarded)
  await askAll(asking)
  shownNothing()
  assert.ok(asked > 200, `${asked}`)
  // The same questions show it to another key, so the test would see it.
  await askAll(open)
  const names = [
    'GET /v1/changes?cursor=oldest&limit=200',
    'stream',
    'create_event',
    'list_events',
    'get_event',
    'get_calendar_context',
  ]
  for (const name of [...names, `GET /v1/booking-pages/${page.id}/bookings`, `GET ${events}`]) {
    assert.ok(found.includes(name), `${name}: ${found}`)
  }
  // Started and ended, with the title in the moments of the change feed.
  await service.clock.set(new Date(Date.parse(booking.endTime) + 60_000))
  await service.drain()
  found.length = 0
  await askAll(guarded)
  shownNothing()
})

test('the history of an event is shown as asked, too', async ({ call, world: { key, booking } }) => {
  await call('PATCH', `/v1/events/${booking.id}`, { key, body: { title: 'Talk' } })
  await call('PATCH', `/v1/events/${booking.id}`, { key, body: { title: booking.title } })
  const read = async (view: string) =>
    (await call('GET', `/v1/events/${booking.id}/history${view}`, { key })).body.data[0]
  const usual = await read('')
  assert.deepEqual(usual.changes, [{ field: 'title', from: 'Talk', to: booking.title }])
  assert.equal(usual.outside, undefined)
  const hidden = await read('?outside_text=hidden')
  assert.deepEqual(hidden.outside, { 'changes.0.to': 'guest' })
  assert.equal(hidden.changes[0].to, `[hidden: guest, ${booking.title.length} characters]`)
})

test('deliveries in the history of a webhook are shown as asked, too', async ({ call, world: { key, hook } }) => {
  const list = async (view: string) =>
    (await call('GET', `/v1/webhooks/${hook.id}/deliveries?include_payload=true&outside_text=${view}`, { key })).body
      .data
  assert.match(JSON.stringify(await list('full')), new RegExp(canary))
  const hidden = await list('hidden')
  assert.doesNotMatch(JSON.stringify(hidden), new RegExp(canary))
  const { body } = await call('GET', `/v1/webhooks/${hook.id}/deliveries/${hidden[0].id}?outside_text=hidden`, { key })
  assert.deepEqual(body.payload, hidden[0].payload)
})
