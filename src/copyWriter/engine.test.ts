// The publishing engine at a CalDAV server that fails, limits, forgets and hangs.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent } from '../testing/factories.ts'
import { at, publishingTest, titlesOf } from '../testing/publishing.ts'

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const test = publishingTest().extend('writes', async ({ service, caldav }) => {
  const isWrite = ({ method }: { method: string }) => method === 'PUT' || method === 'DELETE'
  return {
    isWrite,
    count: () => caldav.asked.filter(isWrite).length,
    after: async (ms: number) => {
      caldav.asked.length = 0
      await service.clock.advance(ms)
      await service.drain()
      return caldav.asked.filter(isWrite).length
    },
    fail: (status: number, headers?: Record<string, string>) => {
      caldav.quirk = (asked) => (isWrite(asked) ? { status, ...(headers && { headers }) } : undefined)
    },
    mend: () => {
      caldav.quirk = () => undefined
    },
  }
})

test('a copy is busy time for other agents as soon as it is written, and no longer than it is there', async ({
  service,
  desk,
  events,
}) => {
  const { external_calendar_id, id } = await desk.published('confirmed', {
    capabilities: ['availability', 'publishing'],
  })
  await desk.ok('PATCH', `/v1/calendar-connections/${id}`, { selected_external_calendar_ids: [external_calendar_id] })
  const everybody = { external_calendar_ids: [external_calendar_id], audience: 'all_org_agents' }
  await desk.ok('POST', '/v1/availability-grants', everybody, 201)
  await desk.drain()
  const other = await makeAgent(service, desk.key)
  const busy = async () => {
    const { body } = await events.ask(
      'GET',
      `/v1/agents/${other.id}/availability?start=${at(0)}&end=${at(23)}&include_busy=true`,
    )
    assert.equal(body.availability_state, 'complete')
    return body.per_agent_busy[other.id].map(({ start }: { start: string }) => start)
  }
  const made = await events.create()
  await desk.drain()
  assert.deepEqual(await busy(), [at(9)])
  await events.change(made.id, { start_time: at(14), end_time: at(15) })
  await desk.drain()
  assert.deepEqual(await busy(), [at(14)])
  assert.equal((await events.ask('DELETE', `/v1/events/${made.id}`)).status, 204)
  await desk.drain()
  assert.deepEqual(await busy(), [])
})

test('a server that asks for patience is not asked for anything, also about what changes meanwhile', async ({
  caldav,
  desk,
  events,
  writes,
}) => {
  await desk.published()
  writes.fail(429, { 'retry-after': '90' })
  const first = await events.create({ title: 'One' })
  await events.create({ title: 'Two' })
  await desk.drain()
  assert.equal(writes.count(), 1)
  writes.mend()
  await events.change(first.id, { title: 'One more' })
  await events.create({ title: 'Three' })
  assert.equal(await writes.after(89 * secondMs), 0)
  assert.equal(await writes.after(secondMs), 3)
  assert.deepEqual(titlesOf(caldav.objects('personal')), ['One more', 'Three', 'Two'])
})

test('twelve copies take more than a second: five at once, then five a second', async ({ desk, events, writes }) => {
  const { id } = await desk.published()
  await desk.ok('POST', `/v1/calendar-connections/${id}/pause`)
  for (let nth = 0; nth < 12; nth++) assert.equal((await events.create()).external_sync.status, 'queued')
  await desk.drain()
  assert.equal(writes.count(), 0)
  const startedAt = performance.now()
  await desk.ok('POST', `/v1/calendar-connections/${id}/resume`)
  await desk.drain()
  assert.equal(writes.count(), 12)
  assert.ok(performance.now() - startedAt >= 7 * 200)
})

test('an answer that is lost makes no second copy, and what is taken back meanwhile is written again', async ({
  service,
  caldav,
  desk,
  events,
  writes,
}) => {
  await desk.published()
  const loseNext = () => {
    let isDone = false
    caldav.replyAfter = (asked) => {
      if (isDone || !writes.isWrite(asked)) return undefined
      isDone = true
      return { status: 502 }
    }
  }
  loseNext()
  const made = await events.create({ title: 'Tea' })
  await desk.drain()
  await writes.after(5 * secondMs)
  assert.deepEqual(titlesOf(caldav.objects('personal')), ['Tea'])
  loseNext()
  await events.change(made.id, { title: 'Coffee' })
  await desk.drain()
  assert.deepEqual(titlesOf(caldav.objects('personal')), ['Coffee'])
  await events.change(made.id, { title: 'Tea' })
  await desk.drain()
  assert.deepEqual(titlesOf(caldav.objects('personal')), ['Tea'])
  loseNext()
  await events.ask('DELETE', `/v1/events/${made.id}`)
  await desk.drain()
  await service.clock.advance(5 * secondMs)
  await desk.drain()
  assert.equal(caldav.objects('personal').size, 0)
})

for (const { what, status, category, lose } of [
  { what: 'may not be written any more', status: 403, category: 'forbidden', lose: false },
  { what: 'is gone', status: 404, category: 'not_found', lose: true },
]) {
  test(`a calendar that ${what} makes the destination inactive until it is chosen again`, async ({
    caldav,
    desk,
    events,
    writes,
  }) => {
    const { path, external_calendar_id } = await desk.published()
    const made = await events.create()
    await desk.drain()
    if (lose) caldav.dropCalendar('personal')
    else writes.fail(status)
    assert.equal(await events.change(made.id, { title: 'Renamed' }), 'queued')
    await desk.drain()
    const broken = (await desk.ok('GET', path)).data
    assert.deepEqual([broken.active, broken.health], [false, { queued: 0, failed: 1, last_error_category: category }])
    assert.equal(await events.change(made.id, { title: 'Renamed again' }), 'failed')
    assert.equal(await writes.after(hourMs), 0)
    writes.mend()
    if (lose) caldav.addCalendar('personal', { name: 'Personal' })
    assert.equal((await desk.ok('PUT', path, { external_calendar_id })).active, true)
    await desk.drain()
    // Of a calendar that went away with its copies the human has deleted them.
    assert.deepEqual(titlesOf(caldav.objects('personal')), lose ? [] : ['Renamed again'])
  })
}

for (const { what, answers, category } of [
  { what: 'the right to write is taken away', answers: { PUT: 403, DELETE: 403 }, category: 'forbidden' },
  {
    what: 'every right is taken away, and the calendar is hidden',
    answers: { PUT: 404, DELETE: 404, GET: 404, PROPFIND: 404, REPORT: 404 },
    category: 'not_found',
  },
] as { what: string; answers: Record<string, number>; category: string }[]) {
  test(`${what}: nothing is lost, and all is done when it is back`, async ({
    service,
    caldav,
    desk,
    events,
    writes,
  }) => {
    const { path, external_calendar_id } = await desk.published()
    const [kept, gone] = [await events.create({ title: 'Tea' }), await events.create({ title: 'Gone' })]
    await desk.drain()
    caldav.quirk = ({ method, url }) =>
      url.includes('/personal/') && answers[method] ? { status: answers[method] } : undefined
    // First, as everything waits once the destination is inactive.
    await events.ask('DELETE', `/v1/events/${gone.id}`)
    await desk.drain()
    await events.create({ title: 'Cake' })
    await events.change(kept.id, { title: 'Coffee' })
    await desk.drain()
    await service.clock.advance(hourMs)
    await desk.drain()
    const { active, health } = (await desk.ok('GET', path)).data
    assert.deepEqual([active, health], [false, { queued: 0, failed: 3, last_error_category: category }])
    assert.deepEqual(titlesOf(caldav.objects('personal')), ['Gone', 'Tea'])
    writes.mend()
    await desk.ok('PUT', path, { external_calendar_id })
    await desk.drain()
    assert.deepEqual(titlesOf(caldav.objects('personal')), ['Cake', 'Coffee'])
  })
}

test('what a server will never take fails at once, and a full one is asked again', async ({
  caldav,
  desk,
  events,
  writes,
}) => {
  const { path } = await desk.published()
  writes.fail(400)
  const made = await events.create()
  await desk.drain()
  assert.equal(await writes.after(hourMs), 0)
  assert.equal((await desk.ok('GET', path)).data.health.failed, 1)
  writes.fail(507)
  assert.equal(await events.change(made.id, { title: 'Shorter' }), 'queued')
  await desk.drain()
  const full = (await desk.ok('GET', path)).data
  assert.deepEqual([full.active, full.health.queued], [true, 1])
  writes.mend()
  assert.equal(await writes.after(5 * secondMs), 1)
  assert.deepEqual(titlesOf(caldav.objects('personal')), ['Shorter'])
})

test('a server that does not name the version of what it stored is asked for it', async ({
  caldav,
  desk,
  events,
  writes,
}) => {
  await desk.published()
  let isNamed = false
  caldav.replyAfter = ({ method }) => {
    if (isNamed || method !== 'PUT') return undefined
    isNamed = true
    return { status: 201 }
  }
  const made = await events.create()
  await desk.drain()
  assert.equal(caldav.asked.at(-1)?.method, 'PROPFIND')
  // The human's changes of the meantime are seen, and kept.
  const [[name, text]] = [...caldav.objects('personal')] as [[string, string]]
  caldav.put('personal', name, text.replace('END:VEVENT', 'COLOR:red\r\nEND:VEVENT'))
  await events.change(made.id, { title: 'Renamed' })
  await desk.drain()
  const stored = caldav.objects('personal').get(name)!
  assert.ok(stored.includes('SUMMARY:Renamed') && stored.includes('COLOR:red'), stored)
  assert.equal(writes.count(), 3)
})

for (const { how, hrefs } of [
  { how: 'absolute', hrefs: (origin: string) => (href: string) => (href.startsWith('/') ? origin + href : href) },
  { how: 'encoded', hrefs: () => (href: string) => href.replace('personal', '%70ersonal').replace('ada', '%61da') },
]) {
  test(`copies are written to ${how} addresses, and are known as ours when they are read`, async ({
    service,
    caldav,
    desk,
    events,
  }) => {
    caldav.hrefs = hrefs(caldav.origin)
    const { id, external_calendar_id } = await desk.published('confirmed', {
      capabilities: ['availability', 'publishing'],
    })
    await desk.ok('PATCH', `/v1/calendar-connections/${id}`, { selected_external_calendar_ids: [external_calendar_id] })
    const grant = { external_calendar_ids: [external_calendar_id], audience: 'all_org_agents' }
    await desk.ok('POST', '/v1/availability-grants', grant, 201)
    const made = await events.create()
    await desk.drain()
    await service.clock.advance(6 * minuteMs)
    await desk.drain()
    await events.ask('DELETE', `/v1/events/${made.id}`)
    const query = `start=${at(8)}&end=${at(12)}&include_busy=true`
    const { body } = await events.ask('GET', `/v1/calendars/${desk.calendar.id}/availability?${query}`)
    assert.deepEqual([body.availability_state, body.busy], ['complete', []])
    await desk.drain()
    assert.equal(caldav.objects('personal').size, 0)
    caldav.hrefs = (href) => href
  })
}

test('an end or a rule of another kind brings a deleted copy back, under another name', async ({
  caldav,
  desk,
  events,
}) => {
  await desk.published()
  const made = await events.create({ recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  await desk.drain()
  const names = new Set<string>()
  for (const change of [{ end_time: at(11) }, { recurrence_rule: 'FREQ=DAILY;COUNT=4' }]) {
    const [name] = caldav.objects('personal').keys()
    names.add(name!)
    caldav.remove('personal', name!)
    await events.change(made.id, { title: `Renamed ${names.size}` })
    await desk.drain()
    assert.equal(caldav.objects('personal').size, 0)
    assert.equal(await events.change(made.id, change), 'queued')
    await desk.drain()
    assert.equal(caldav.objects('personal').size, 1)
  }
  names.add([...caldav.objects('personal').keys()][0]!)
  assert.equal(names.size, 3)
})

// The last one: it is days later afterwards.
test('a write that fails is tried again ever more rarely, and given up a day after the last change', async ({
  service,
  caldav,
  desk,
  events,
  writes,
}) => {
  const { destination } = await desk.published()
  const states = () => service.app.sql`
    select state, last_error from publications where destination_id = ${decodeId('xds', destination.id)!}`
  await desk.drain()
  writes.fail(503)
  const made = await events.create({ start_time: at(9, 20), end_time: at(10, 20) })
  await desk.drain()
  assert.equal(writes.count(), 1)
  for (const seconds of [5, 30, 120, 600, 1_800, 3_600, 3_600]) {
    assert.equal(await writes.after((seconds - 1) * secondMs), 0, `before ${seconds} s`)
    assert.equal(await writes.after(secondMs), 1, `after ${seconds} s`)
  }
  assert.deepEqual([...(await states())], [{ state: 'queued', lastError: 'provider_error' }])
  await writes.after(24 * hourMs)
  assert.deepEqual([...(await states())], [{ state: 'failed', lastError: 'provider_error' }])
  assert.equal(await writes.after(24 * hourMs), 0)
  writes.mend()
  assert.equal(await events.change(made.id, { title: 'Later' }), 'queued')
  await desk.drain()
  assert.deepEqual(titlesOf(caldav.objects('personal')), ['Later'])
  assert.deepEqual([...(await states())], [{ state: 'published', lastError: null }])
})
