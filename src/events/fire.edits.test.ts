// The effect of a change of an event, of its calendar or of its agent on the moments that are still to come.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeEvent, makeHold } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { at, momentsTest } from '../testing/moments.ts'

const test = momentsTest()

test('a rescheduled event fires at its new times only, also when the old one was already due', async ({
  desk: { event, patch, goTo, firedAt },
}) => {
  const early = await event()
  await patch(early.id, { start_time: at(70), end_time: at(100) })
  const overdue = await event({ reminders: [] })
  await goTo(60)
  await patch(overdue.id, { start_time: at(80), end_time: at(110) })
  assert.deepEqual(await firedAt(60, 61, 70, 80, 90, 100, 110), {
    60: ['event.reminder 10'],
    70: ['event.started'],
    80: ['event.started'],
    100: ['event.ended'],
    110: ['event.ended'],
  })
})

test('an event that was moved after it had started starts again', async ({ desk: { event, patch, firedAt } }) => {
  const { id } = await event({ reminders: [] })
  assert.deepEqual(await firedAt(60), { 60: ['event.started'] })
  await patch(id, { start_time: at(70), end_time: at(80) })
  assert.deepEqual(await firedAt(60, 70, 80, 90), { 70: ['event.started'], 80: ['event.ended'] })
})

test('a moved end fires at the new end, and the start that fired does not fire again', async ({
  desk: { event, patch, firedAt },
}) => {
  const { id } = await event({ reminders: [] })
  await firedAt(60)
  await patch(id, { end_time: at(100) })
  assert.deepEqual(await firedAt(60, 90, 100), { 100: ['event.ended'] })
})

test('a cancelled or deleted event fires nothing more, also when its moment was already due', async ({
  service,
  key,
  desk: { pathOf, event, patch, goTo, firedAt },
}) => {
  const cancelled = await event()
  const deleted = await event()
  const late = [await event(), await event()]
  await patch(cancelled.id, { status: 'cancelled' })
  assert.equal((await service.call('DELETE', pathOf(deleted.id), { key })).status, 204)
  await goTo(60)
  await patch(late[0].id, { status: 'cancelled' })
  assert.equal((await service.call('DELETE', pathOf(late[1].id), { key })).status, 204)
  assert.deepEqual(await firedAt(60, 90), {})
  const [row] = await service.app.sql`select count(*)::integer as n from timers`
  assert.equal(row?.n, 0)
})

test('the events of a deleted calendar fire nothing more, and their timers go', async ({
  service,
  key,
  desk: { calendar, event, goTo, firedAt },
}) => {
  await event()
  await goTo(55)
  assert.equal((await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
  assert.deepEqual(await firedAt(55, 60, 90), {})
  const [row] = await service.app.sql`select count(*)::integer as n from timers`
  assert.equal(row?.n, 0)
})

test('a decommissioned agent changes nothing of what its events still fire', async ({
  service,
  key,
  desk: { event, firedAt },
}) => {
  const agent = await makeAgent(service, key)
  await event({}, (await makeCalendar(service, key, agent.id)).id)
  assert.equal((await service.call('DELETE', `/v1/agents/${agent.id}`, { key })).status, 204)
  assert.deepEqual(await firedAt(50, 60, 90), { 50: ['event.reminder 10'], 60: ['event.started'], 90: ['event.ended'] })
})

test('an edit that moves nothing at the very moment a timer is due does not lose the moment', async ({
  service,
  receiver,
  desk: { event, patch, goTo, firedAt },
}) => {
  for (const body of [
    { title: 'New' },
    { description: 'd' },
    { metadata: { a: 1 } },
    { reminders: [10] },
    { status: 'confirmed' },
  ]) {
    await service.clock.set(testStart)
    const { id } = await event()
    await goTo(50)
    await patch(id, body)
    assert.deepEqual(await firedAt(50), { 50: ['event.reminder 10'] }, JSON.stringify(body))
    await goTo(60)
    await patch(id, { title: 'Newer' })
    assert.deepEqual(await firedAt(60, 90), { 60: ['event.started'], 90: ['event.ended'] }, JSON.stringify(body))
    assert.equal(receiver.received[0]?.payload.title, 'Newer')
  }
})

test('a status that comes and goes sets and clears the moments', async ({
  desk: { event, patch, goTo, firedAt, timersOf },
}) => {
  const { id } = await event({ status: 'tentative' })
  assert.deepEqual(await timersOf(id), [])
  await patch(id, { status: 'confirmed' })
  const all = [`event_reminder 10 ${at(50)}`, `event_start 0 ${at(60)}`, `event_end 0 ${at(90)}`]
  assert.deepEqual(await timersOf(id), all)
  await patch(id, { status: 'tentative' })
  assert.deepEqual(await timersOf(id), [])
  await goTo(55)
  await patch(id, { status: 'confirmed' })
  assert.deepEqual(await timersOf(id), all.slice(1))
  assert.deepEqual(await firedAt(55, 60, 90), { 60: ['event.started'], 90: ['event.ended'] })
})

test('confirming a hold sets the moments of an event in the place of its expiry', async ({
  service,
  key,
  desk: { calendar, firedAt, timersOf },
}) => {
  const hold = await makeHold(service, key, calendar.id, {
    start_time: at(60),
    end_time: at(90),
    hold_expires_at: at(5),
    reminders: [3],
  })
  assert.deepEqual(await timersOf(hold.id), [`hold_expiry 0 ${at(5)}`])
  assert.equal((await service.call('PUT', `/v1/events/${hold.id}/confirm`, { key })).status, 200)
  assert.deepEqual(await timersOf(hold.id), [
    `event_reminder 3 ${at(57)}`,
    `event_start 0 ${at(60)}`,
    `event_end 0 ${at(90)}`,
  ])
  assert.deepEqual(await firedAt(5, 57, 60, 90), {
    57: ['event.reminder 3'],
    60: ['event.started'],
    90: ['event.ended'],
  })
})

test('releasing a hold leaves no timer', async ({ service, key, desk: { calendar, timersOf } }) => {
  const hold = await makeHold(service, key, calendar.id)
  assert.equal((await service.call('PUT', `/v1/events/${hold.id}/release`, { key })).status, 200)
  assert.deepEqual(await timersOf(hold.id), [])
})

test("an event's own reminders can be changed, dropped and inherited again", async ({
  desk: { event, patch, patchCalendar, timersOf },
}) => {
  const { id } = await event({ reminders: [20, 5] })
  await patch(id, { reminders: [20, 15] })
  assert.deepEqual((await timersOf(id)).slice(0, 2), [`event_reminder 20 ${at(40)}`, `event_reminder 15 ${at(45)}`])
  await patch(id, { reminders: [] })
  assert.deepEqual((await timersOf(id)).length, 2)
  await patchCalendar({ default_reminders: [30] })
  assert.deepEqual((await timersOf(id)).length, 2)
  await patch(id, { reminders: null })
  assert.deepEqual((await timersOf(id))[0], `event_reminder 30 ${at(30)}`)
})

test("a change of a calendar's default reminders moves those of the events that inherit, and no others", async ({
  service,
  key,
  desk: { event, patchCalendar, firedAt, timersOf },
}) => {
  const inheriting = await event()
  const own = await event({ reminders: [20] })
  const none = await event({ reminders: [] })
  const tentative = await event({ status: 'tentative' })
  const elsewhere = await makeEvent(service, key, (await makeCalendar(service, key)).id, {
    start_time: at(60),
    end_time: at(90),
  })
  const rest = [`event_start 0 ${at(60)}`, `event_end 0 ${at(90)}`]
  const steps: [number[] | null, string[]][] = [
    [
      [30, 10],
      [`event_reminder 30 ${at(30)}`, `event_reminder 10 ${at(50)}`],
    ],
    [[1], [`event_reminder 1 ${at(59)}`]],
    [[], []],
    [null, [`event_reminder 10 ${at(50)}`]],
    [[90, 15], [`event_reminder 15 ${at(45)}`]],
  ]
  for (const [minutes, expected] of steps) {
    await patchCalendar({ default_reminders: minutes })
    assert.deepEqual(await timersOf(inheriting.id), [...expected, ...rest], JSON.stringify(minutes))
    assert.deepEqual(await timersOf(own.id), [`event_reminder 20 ${at(40)}`, ...rest])
    assert.deepEqual(await timersOf(none.id), rest)
    assert.deepEqual(await timersOf(tentative.id), [])
    assert.deepEqual(await timersOf(elsewhere.id), [`event_reminder 10 ${at(50)}`, ...rest])
  }
  await patchCalendar({ name: 'Other' })
  assert.deepEqual(await firedAt(40, 45), { 40: ['event.reminder 20'], 45: ['event.reminder 15'] })
  await patchCalendar({ default_reminders: [15, 12] })
  assert.deepEqual((await timersOf(inheriting.id))[0], `event_reminder 12 ${at(48)}`, 'the one that fired stays fired')
})
