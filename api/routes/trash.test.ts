// Deleted events: the list, and the way back.
import assert from 'node:assert/strict'
import { purgeTrash } from '../../src/events/trash.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { asRead } from '../../src/testing/eventRecord.ts'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
  type OrganizationOptions,
} from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, startsOf } from '../../src/testing/guests.ts'
import { adminToken, type TestService, testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

/** A time of March 2026; the tests begin on the 2nd at nine. */
const day = (nth: number, time = '10:00:00.000') => `2026-03-${String(nth).padStart(2, '0')}T${time}Z`

/** A calendar of its own, of an agent. */
async function openDesk(service: TestService, options: OrganizationOptions = {}) {
  const { id: orgId, key } = await makeOrganization(service, options)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const list = `/v1/calendars/${calendar.id}/events`
  const send = (method: string, path: string, body?: object, more: object = {}) =>
    service.call(method, path, { key, ...(body && { body }), ...more })
  const remove = async ({ id }: { id: string }) => {
    assert.equal((await send('DELETE', `/v1/events/${id}`)).status, 204)
  }
  return {
    ...{ orgId, key, agent, calendar, list, send, remove },
    make: (body: object = {}) => makeEvent(service, key, calendar.id, body),
    restore: (id: string, body: object = {}, more: object = {}) => send('POST', `/v1/events/${id}/restore`, body, more),
    deleted: async (query = '') => (await send('GET', `/v1/calendars/${calendar.id}/deleted-events${query}`)).body,
    listed: async (until = 31) =>
      (await send('GET', `${list}?expand=true&limit=200&start_after=${day(1)}&start_before=${day(until)}`)).body.data,
  }
}

const test = serviceTest({ env: guestEnv }).extend(
  'open',
  perFile,
  ({ service }) =>
    (options?: OrganizationOptions) =>
      openDesk(service, options),
)

test.beforeEach(({ service }) => service.clock.set(testStart))

test('a deleted event is in the trash for thirty days, and comes back under its id as it was', async ({
  service,
  open,
  receiver,
}) => {
  const { key, orgId, calendar, list, make, send, remove, restore, deleted } = await open()
  await makeWebhook(service, key, receiver.url, ['event.created', 'event.deleted'])
  const body = { description: 'Bring tea', metadata: { a: 1, booking: { note: 'x' } }, reminders: [5, 30] }
  const event = await make({ title: 'Planning', ...body })
  const other = await make({ title: 'Other' })
  await remove(event)
  const deletedAt = service.clock.now()
  await service.clock.advance(1_000)
  await remove(other)
  const { data, ...page } = await deleted()
  assert.deepEqual(page, { total: 2, limit: 50, offset: 0 })
  assert.deepEqual([data[0].id, data[1].id], [other.id, event.id])
  assert.deepEqual(data[1], {
    ...event,
    updatedAt: deletedAt.toISOString(),
    deletedAt: deletedAt.toISOString(),
    restorable_until: new Date(deletedAt.getTime() + 30 * dayMs).toISOString(),
  })
  assert.deepEqual((await deleted('?limit=1&offset=1')).data, [data[1]])
  assertRefused(await send('GET', `/v1/events/${event.id}`), 404, 'not_found', { code: 'event_not_found' })

  await service.clock.advance(1_000)
  const { body: tried } = await send('POST', `/v1/events/${event.id}/restore?dry_run=true`, {})
  assert.equal(tried.body.id, event.id)
  assert.deepEqual(tried.effects, [{ type: 'event.created', resource: { type: 'event', id: event.id } }])
  const back = await restore(event.id)
  assert.deepEqual([back.status, back.body.external_sync], [200, { status: 'not_configured' }])
  const record = { ...event, updatedAt: service.clock.now().toISOString() }
  assert.deepEqual(asRead(back).body, record)
  assert.equal(back.headers.get('etag'), (await send('GET', `/v1/events/${event.id}`)).headers.get('etag'))
  assert.deepEqual((await send('GET', list)).body.data, [record])
  assert.deepEqual((await send('GET', list)).body.total, 1)
  assert.equal((await deleted()).total, 1)
  assertRefused(await restore(event.id), 409, 'conflict', { code: 'not_deleted' })
  await service.drain()
  assert.deepEqual(receiver.received.at(-1)?.payload, { calendar_id: calendar.id, event: record, restored: true })
  assert.equal(receiver.received.at(-1)?.type, 'event.created')
  const changes = await send('GET', '/v1/changes?cursor=oldest&types=event.created')
  assert.deepEqual(changes.body.data.at(-1).payload, { calendar_id: calendar.id, event: record, restored: true })
  assert.equal(changes.body.data[0].payload.restored, undefined)
  const [entry] = (await send('GET', '/v1/audit-log?action=event.restore')).body.data
  assert.deepEqual(
    [entry.resource, entry.method, entry.path, entry.status],
    [event.id, 'POST', `/v1/events/${event.id}/restore`, 200],
  )
  assert.equal((await send('GET', '/v1/usage')).body.events.used, 2)
  const feed = await (await fetch(calendar.ical_url)).text()
  assert.match(feed, /SEQUENCE:1\r\n[\s\S]*SUMMARY:Planning/)

  await service.clock.set(new Date(testStart.getTime() + 1_000 + 30 * dayMs))
  await purgeTrash(service.app)
  assert.equal((await deleted()).total, 1)
  await service.clock.advance(1)
  assertRefused(await restore(other.id), 404, 'not_found', { code: 'event_not_found' })
  assert.equal((await deleted()).total, 0)
  await purgeTrash(service.app)
  const rows = await service.app.sql`select id from events where org_id = ${decodeId('org', orgId)!}`
  assert.deepEqual(
    rows.map(({ id }) => id),
    [decodeId('evt', event.id)],
  )
})

test('some events cannot be restored', async ({ service, open }) => {
  const { key, agent, calendar, make, send, remove, restore, deleted } = await open()
  const hold = await makeHold(service, key, calendar.id)
  await remove(hold)
  assertRefused(await restore(hold.id), 409, 'conflict', { code: 'not_restorable' })
  assert.equal((await deleted()).total, 0)
  const guests = await makePage(service)
  const [start] = await startsOf(service, guests.page.slug)
  const { id } = (await bookSlot(service, guests.page.slug, start!)).body.event
  const asOwner = { key: guests.key }
  assert.equal((await service.call('DELETE', `/v1/events/${id}`, asOwner)).status, 204)
  const booked = await service.call('POST', `/v1/events/${id}/restore`, { ...asOwner, body: {} })
  assertRefused(booked, 409, 'conflict', { code: 'not_restorable' })
  const trash = await service.call('GET', `/v1/calendars/${guests.calendar.id}/deleted-events`, asOwner)
  assert.deepEqual([trash.body.total, trash.body.data[0].restorable_until], [1, null])

  assertRefused(await restore('evt_none'), 404, 'not_found', { code: 'event_not_found' })
  assertRefused(await restore(hold.id, { notify: 'all' }), 400, 'validation_error', { param: 'notify' })
  const event = await make()
  await remove(event)
  const [shown] = (await deleted()).data
  assert.equal(shown.id, event.id)
  const stale = await restore(event.id, {}, { headers: { 'if-match': '"stale"' } })
  assert.deepEqual([stale.status, stale.body.error.type], [412, 'precondition_failed'])
  const stranger = await makeAgent(service, key)
  const foreign = await makeAgentKey(service, key, stranger.id)
  assertRefused(await restore(event.id, {}, { key: foreign }), 403, 'forbidden')
  const { id: otherId } = await makeCalendar(service, key, agent.id)
  const unlisted = await makeAgentKey(service, key, agent.id, { calendar_ids: [otherId] })
  assertRefused(await restore(event.id, {}, { key: unlisted }), 403, 'forbidden', {
    code: 'guardrail',
    guardrail: 'calendar_ids',
  })

  await make({ title: 'In the way' })
  const taken = await restore(event.id, { require_free: true })
  assertRefused(taken, 409, 'conflict', { code: 'not_free' })
  const helped = await send('POST', `/v1/events/${event.id}/restore?explain=true`, { require_free: true })
  assert.deepEqual([helped.body.error.conflict.kind, helped.body.error.conflicts], ['event', 1])
  const matched = await restore(event.id, {}, { headers: { 'if-match': stale.body.error.current_etag } })
  assert.equal(matched.status, 200)
  await remove(event)
  await send('DELETE', `/v1/agents/${agent.id}`)
  assertRefused(await restore(event.id), 409, 'conflict', { code: 'agent_decommissioned' })

  const more = await open()
  const lost = await more.make()
  await more.remove(lost)
  await more.send('DELETE', `/v1/calendars/${more.calendar.id}`)
  assertRefused(await more.restore(lost.id), 404, 'not_found', { code: 'event_not_found' })
})

test('moments that lie ahead fire, and those that have passed do not', async ({ service, open, receiver }) => {
  const { key, make, remove, restore } = await open()
  await makeWebhook(service, key, receiver.url, ['event.started', 'event.ended', 'event.reminder'])
  receiver.received.length = 0
  const event = await make({ reminders: [30, 5] })
  const cancelled = await make({ status: 'cancelled' })
  for (const one of [event, cancelled]) await remove(one)
  await service.clock.advance(40 * 60_000)
  await service.drain()
  assert.equal(receiver.received.length, 0)
  for (const { id } of [event, cancelled]) assert.equal((await restore(id)).status, 200)
  await service.clock.advance(60 * 60_000)
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => [type, payload.event_id, payload.reminder_minutes]),
    [
      ['event.reminder', event.id, 5],
      ['event.started', event.id, undefined],
      ['event.ended', event.id, undefined],
    ],
  )
})

test('a series comes back with its edited and cancelled occurrences, and is judged with them', async ({
  service,
  open,
  receiver,
}) => {
  const { key, make, send, list, remove, restore, listed, calendar } = await open()
  const series = await make({
    ...{ title: 'Daily', start_time: day(3), end_time: day(3, '10:30:00.000'), reminders: [] },
    ...{ recurrence_rule: 'FREQ=DAILY;COUNT=5' },
  })
  const at = (start: string) => `${list}/${series.id}?occurrence_start=${start}`
  await send('PATCH', at(day(4)), {
    title: 'Own',
    start_time: day(4, '14:00:00.000'),
    end_time: day(4, '15:00:00.000'),
  })
  await send('PATCH', at(day(5)), { status: 'cancelled' })
  await send('DELETE', at(day(6)))
  const before = await listed()
  assert.equal(before.length, 4)
  const feed = async () => (await (await fetch(calendar.ical_url)).text()).match(/SUMMARY:.*/g)
  const fed = await feed()
  await remove(series)
  assert.deepEqual(await listed(), [])
  assert.deepEqual(await feed(), null)
  const exported = (await service.call('GET', '/v1/auth/export', { key })).body
  assert.ok(exported.overrides === undefined || exported.overrides.every((one: { deletedAt: string }) => one.deletedAt))

  const blocker = await make({ start_time: day(4, '14:30:00.000'), end_time: day(4, '14:45:00.000') })
  assertRefused(await restore(series.id, { require_free: true }), 409, 'conflict', { code: 'not_free' })
  await remove(blocker)
  await makeWebhook(service, key, receiver.url, ['event.started'])
  receiver.received.length = 0
  assert.equal((await restore(series.id, { require_free: true })).status, 200)
  const untimed = (items: { updatedAt: string }[]) => items.map(({ updatedAt: _, ...rest }) => rest)
  assert.deepEqual(untimed(await listed()), untimed(before))
  assert.deepEqual(await feed(), fed)
  const busy = await send(
    'GET',
    `/v1/calendars/${calendar.id}/availability/check?start=${day(4, '14:30:00.000')}&end=${day(4, '15:30:00.000')}`,
  )
  assert.equal(busy.body.free, false)
  for (const nth of [3, 4, 5, 6, 7, 8]) {
    await service.clock.set(new Date(day(nth, '20:00:00.000')))
    await service.drain()
  }
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload.start_time),
    [day(3), day(4, '14:00:00.000'), day(7)],
  )
})

test('the cap of series and the rules of the plan are those of today', async ({ service, open }) => {
  const { orgId, make, remove, restore } = await open({ plan: 'custom', limits: { recurring_events: 1 } })
  const series = () => make({ recurrence_rule: 'FREQ=WEEKLY' })
  const first = await series()
  await remove(first)
  const second = await series()
  assertRefused(await restore(first.id), 429, 'quota_exceeded')
  await remove(second)
  const change = { key: adminToken, body: { plan: 'free' } }
  assert.equal((await service.call('PATCH', `/v1/admin/orgs/${orgId}`, change)).status, 200)
  assertRefused(await restore(first.id), 403, 'plan_required', { feature: 'unbounded_recurrence' })
})

test('the cancellation of an occurrence is taken back', async ({ service, open, receiver }) => {
  const { key, make, send, list, restore, listed } = await open()
  const series = await make({
    ...{ start_time: day(3), end_time: day(3, '10:30:00.000'), reminders: [] },
    ...{ recurrence_rule: 'FREQ=DAILY;COUNT=4' },
  })
  const single = await make({ start_time: day(20), end_time: day(21) })
  const at = (start: string) => `${list}/${series.id}?occurrence_start=${start}`
  const before = await listed()
  await send('DELETE', at(day(4)))
  await send('PATCH', at(day(5)), { status: 'cancelled' })
  await send('PATCH', at(day(6)), { title: 'Own', status: 'cancelled' })
  await makeWebhook(service, key, receiver.url, ['event.started', 'event.updated', 'event.created'])
  receiver.received.length = 0
  const one = (start: string, more: object = {}) => restore(series.id, { occurrence_start: start, ...more })
  const refused = { param: 'occurrence_start' }
  for (const start of [day(3), day(15), day(4, '10:00:01.000')])
    assertRefused(await one(start), 400, 'bad_request', refused)
  assertRefused(await restore(single.id, { occurrence_start: day(20) }), 409, 'conflict', refused)
  const blocker = await make({ start_time: day(4), end_time: day(5, '09:00:00.000') })
  assertRefused(await one(day(4), { require_free: true }), 409, 'conflict', { code: 'not_free' })
  await send('DELETE', `/v1/events/${blocker.id}`)
  const back = await one(day(4), { require_free: true })
  assert.deepEqual([back.status, back.body.id, back.body.recurrenceExdates], [200, series.id, []])
  assertRefused(await one(day(4)), 400, 'bad_request', refused)
  for (const start of [day(5), day(6)]) assert.equal((await one(start)).status, 200)
  const titled = (items: { startTime: string; title: string; overridden?: boolean }[]) =>
    items.map(({ startTime, title, overridden }) => [startTime, title, overridden])
  assert.deepEqual(titled(await listed()), [
    ...titled(before).slice(0, 3),
    [day(6), 'Own', true],
    [day(20), 'Event', undefined],
  ])
  for (const nth of [3, 4, 5, 6]) {
    await service.clock.set(new Date(day(nth, '20:00:00.000')))
    await service.drain()
  }
  const told = receiver.received.filter(({ type }) => type === 'event.started')
  assert.deepEqual(
    told.map(({ payload }) => payload.start_time),
    [day(3), day(4), day(5), day(6)],
  )
  const updated = receiver.received.filter(({ type }) => type === 'event.updated')
  assert.deepEqual(updated[0]?.payload.event, asRead(back).body)
  assert.equal((await send('GET', '/v1/audit-log?action=event.restore')).body.data.length, 3)
  await send('DELETE', `/v1/events/${series.id}`)
  assertRefused(await one(day(4)), 404, 'not_found', { code: 'event_not_found' })
})

test('the guardrails of a key judge a restored event as a new one', async ({ service, open }) => {
  const { key, agent, make, send, remove, restore } = await open()
  const later = { start_time: day(2, '12:00:00.000'), end_time: day(2, '12:30:00.000') }
  const events = [await make(), await make({ title: 'Later', ...later }), await make({ title: 'Third' })]
  for (const event of events) await remove(event)
  const [first, second, third] = events.map(({ id }) => id)
  const by = async (guardrails: object) => ({ key: await makeAgentKey(service, key, agent.id, guardrails) })
  const refused = (guardrail: string) => ({ code: 'guardrail', guardrail })
  const short = await by({ max_minutes: 10 })
  assertRefused(await restore(first!, {}, short), 403, 'forbidden', refused('max_minutes'))
  const daily = await by({ max_events_per_day: 1, require_free: true })
  assert.equal((await restore(first!, {}, daily)).status, 200)
  assertRefused(await restore(second!, {}, daily), 429, 'quota_exceeded', refused('max_events_per_day'))
  const free = await by({ require_free: true })
  assertRefused(await restore(third!, {}, free), 409, 'conflict', { code: 'not_free' })
  const asking = await by({ approval: { on: ['event.create'] } })
  const asked = await restore(third!, {}, asking)
  assert.equal(asked.status, 202)
  const { approval } = asked.body
  assert.match(approval.summary, /^Restore “Third” on “Calendar”: .*10:00/)
  const shown = (await send('GET', `/v1/approvals/${approval.id}`)).body
  assert.deepEqual([shown.action, shown.changes[0]], ['restoreEvent', { field: 'title', before: null, after: 'Third' }])
  const decided = await send('POST', `/v1/approvals/${approval.id}/approve`, {})
  assert.deepEqual([decided.body.status, decided.body.result.body.id], ['approved', third])
  assert.equal((await send('GET', `/v1/events/${third}`)).status, 200)
})

test('the history says who changed what, and pages agree with the whole', async ({ service, open }) => {
  const { orgId, key, agent, make, send, list, remove, restore } = await open()
  const agentKey = await makeAgentKey(service, key, agent.id)
  const event = await make({
    start_time: day(3),
    end_time: day(3, '10:30:00.000'),
    recurrence_rule: 'FREQ=DAILY;COUNT=9',
  })
  const at = `${list}/${event.id}`
  await send('PATCH', at, { title: 'Renamed', metadata: { a: 1 } }, { key: agentKey })
  await send('PATCH', `${at}?occurrence_start=${day(5)}`, { title: 'Own' })
  for (let nth = 0; nth < 3; nth++) await send('PATCH', at, { description: `Text ${nth}` })
  await send('PATCH', `${at}?occurrence_start=${day(5)}`, { start_time: day(5, '09:00:00.000') })
  await remove(event)
  const path = `/v1/events/${event.id}/history`
  const read = async (query = '') => (await send('GET', `${path}${query}`)).body
  const { data, ...page } = await read()
  assert.deepEqual(page, { total: 8, limit: 50, offset: 0 })
  type Entry = { type: string; occurrence_start?: string; changes: { field: string; from: unknown; to: unknown }[] }
  const shown = (entries: Entry[]) =>
    entries.map(({ type, occurrence_start, changes }) => [type.slice(6), occurrence_start, changes])
  const text = (from: string | null, to: string) => [{ field: 'description', from, to }]
  assert.deepEqual(shown(data), [
    ['deleted', undefined, []],
    [
      'updated',
      day(5),
      [
        { field: 'description', from: null, to: 'Text 2' },
        { field: 'startTime', from: day(5), to: day(5, '09:00:00.000') },
      ],
    ],
    ['updated', undefined, text('Text 1', 'Text 2')],
    ['updated', undefined, text('Text 0', 'Text 1')],
    ['updated', undefined, text(null, 'Text 0')],
    ['updated', day(5), [{ field: 'title', from: 'Renamed', to: 'Own' }]],
    [
      'updated',
      undefined,
      [
        { field: 'metadata', from: {}, to: { a: 1 } },
        { field: 'title', from: 'Event', to: 'Renamed' },
      ],
    ],
    ['created', undefined, []],
  ])
  const [feed] = (await send('GET', '/v1/changes?cursor=oldest&types=event.updated')).body.data
  const { change_id, at: happenedAt, cause, actor } = feed
  assert.deepEqual(data[6], {
    change_id,
    at: happenedAt,
    type: 'event.updated',
    cause,
    actor,
    changes: data[6].changes,
  })
  assert.deepEqual([cause, actor.agent_id], ['api', agent.id])
  for (let offset = 0; offset < 8; offset++)
    assert.deepEqual((await read(`?limit=1&offset=${offset}`)).data, [data[offset]], String(offset))
  assert.equal((await restore(event.id)).status, 200)
  const restored = (await read('?limit=2')).data
  assert.deepEqual(shown(restored), [
    ['created', undefined, []],
    ['deleted', undefined, []],
  ])

  const stranger = await makeAgent(service, key)
  const foreign = await makeAgentKey(service, key, stranger.id)
  assertRefused(await send('GET', path, undefined, { key: foreign }), 403, 'forbidden')
  assertRefused(await send('GET', '/v1/events/evt_none/history'), 404, 'not_found', { code: 'event_not_found' })
  await service.app.sql`
    delete from changes where org_id = ${decodeId('org', orgId)!} and type = 'event.created'`
  const oldest = (await read()).data.at(-1)
  assert.deepEqual([oldest.type, oldest.changes, oldest.incomplete], ['event.updated', null, true])
})

test('restores that meet other changes have one order with them', async ({ second, open }) => {
  const { key, make, send, remove, restore, list } = await open({ plan: 'custom', limits: { recurring_events: 2 } })
  const elsewhere = (id: string) => second.call('POST', `/v1/events/${id}/restore`, { key, body: {} })
  const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length
  const event = await make()
  await remove(event)
  const fifty = await Promise.all(Array.from({ length: 50 }, (_, nth) => (nth % 2 ? restore : elsewhere)(event.id)))
  const statuses = fifty.map(({ status }) => status)
  assert.deepEqual([count(statuses, 200), count(statuses, 409)], [1, 49], String(statuses))
  const created = await send('GET', '/v1/changes?cursor=oldest&types=event.created')
  assert.equal(created.body.data.length, 2)

  for (let round = 0; round < 5; round++) {
    const meeting = await make()
    await remove(meeting)
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => elsewhere(meeting.id)),
      ...[1, 2, 3].map(() => send('DELETE', `/v1/events/${meeting.id}`)),
    ])
    const [restored, removed] = [200, 204].map((status) =>
      count(
        answers.map((one) => one.status),
        status,
      ),
    )
    const isThere = (await send('GET', `/v1/events/${meeting.id}`)).status === 200
    assert.equal(restored! - removed!, isThere ? 1 : 0)
  }

  const series = await Promise.all([1, 2].map(() => make({ recurrence_rule: 'FREQ=WEEKLY' })))
  for (const one of series) await remove(one)
  const further = await Promise.all([1, 2].map(() => make({ recurrence_rule: 'FREQ=WEEKLY' })))
  for (const one of further) await remove(one)
  const capped = await Promise.all([...series, ...further].map(({ id }, nth) => (nth % 2 ? restore : elsewhere)(id)))
  assert.deepEqual(
    [
      count(
        capped.map(({ status }) => status),
        200,
      ),
      count(
        capped.map(({ status }) => status),
        429,
      ),
    ],
    [2, 2],
  )

  const { total } = (await send('GET', list)).body
  assert.equal((await send('GET', `${list}?status=confirmed`)).body.total, total)
  const last = await make()
  await remove(last)
  const [gone, back] = await Promise.all([send('DELETE', list.replace('/events', '')), elsewhere(last.id)])
  assert.equal(gone.status, 204)
  assert.ok([200, 404].includes(back.status))
  const told = (await send('GET', '/v1/changes?cursor=oldest&types=event.created,calendar.deleted')).body.data
  assert.equal(told.at(-1).type, 'calendar.deleted', 'nothing comes after the end of its calendar')
})
