// How hold groups end: confirmed, lapsed, pre-empted, or with a calendar that is gone.
import assert from 'node:assert/strict'
import { groupTest } from '../../src/testing/holdGroups.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = groupTest()
const minuteMs = 60_000

test('a confirmation confirms what is needed and releases the rest, in one instant', async ({ service, key, desk }) => {
  const { body: group } = await desk.place({ ...desk.requirements([[0, 1, 2], 1, 2], [[3]]) })
  await desk.told()
  await service.clock.advance(minuteMs)
  const { status, body } = await desk.confirm(group.id)
  assert.equal(status, 200)
  assert.deepEqual([body.status, body.reason, body.hold_expires_at], ['confirmed', null, group.hold_expires_at])
  assert.deepEqual(desk.statuses(body), ['confirmed', 'cancelled', 'cancelled', 'confirmed'])
  assert.deepEqual(await desk.get(group.id), body)
  assert.deepEqual(await desk.told(), [
    ...['event.hold_confirmed 0', 'event.hold_confirmed 3', 'event.hold_released 1', 'event.hold_released 2'],
    'hold_group.confirmed',
  ])
  for (const nth of [0, 1]) {
    const [event] = await desk.eventsOn(nth)
    assert.deepEqual([event.updatedAt, event.holdGroupId], [body.updated_at, group.id])
  }
  assertRefused(await desk.confirm(group.id), 409, 'conflict', { code: 'not_a_hold' })
  const [event] = await desk.eventsOn(0)
  assertRefused(
    await service.call('PUT', `/v1/events/${event.id}/confirm`, { key }),
    ...([409, 'conflict', { code: 'not_a_hold' }] as const),
  )
  await service.clock.advance(90 * minuteMs)
  await service.drain()
  assert.deepEqual(await desk.get(group.id), body)
})

test('confirmed members start and end as any event', async ({ service, receiver, key, desk }) => {
  const types = ['event.started', 'event.reminder']
  const hook = await service.call('POST', '/v1/webhooks', { key, body: { url: receiver.url, events: types } })
  const { body: group } = await desk.place(desk.requirements([[0]], [[1]]))
  await desk.confirm(group.id)
  await desk.place({
    ...{ confirm: true, hold_expires_at: undefined, start_time: desk.at(70), end_time: desk.at(80) },
    ...desk.requirements([[2]]),
  })
  await desk.told()
  await service.clock.advance(75 * minuteMs)
  await service.drain()
  const told = receiver.received.map(({ type }) => type).sort()
  await service.call('DELETE', `/v1/webhooks/${hook.body.id}`, { key })
  assert.deepEqual(told, [...Array(3).fill('event.reminder'), ...Array(3).fill('event.started')])
})

test('choose prefers members by their calendars, and must name living ones', async ({ desk }) => {
  const { body: group } = await desk.place(desk.requirements([[0, 1, 2], 2, 1], [[3]]))
  for (const choose of [['nonsense'], desk.ids, [desk.ids[0], desk.ids[1], desk.ids[2]], [desk.ids[0], desk.ids[0]]]) {
    const answer = await desk.confirm(group.id, { choose })
    assertRefused(answer, 400, 'validation_error', { param: 'choose' })
  }
  const { body } = await desk.confirm(group.id, { choose: [desk.ids[2]] })
  assert.deepEqual(desk.statuses(body), ['confirmed', 'cancelled', 'confirmed', 'confirmed'])
})

test('what was booked over a group since is not_free, and the group stays', async ({ desk }) => {
  const { body: group } = await desk.place()
  const { body: event } = await desk.event(1)
  assertRefused(await desk.confirm(group.id), 409, 'conflict', { code: 'not_free' })
  assert.deepEqual(await desk.get(group.id), group)
  const explained = (await desk.confirm(group.id, {}, '?explain=true')).body.error
  assert.equal(explained.conflict.event_id, event.id)
  const { body: other } = await desk.place({ require_free: false, start_time: desk.at(90), end_time: desk.at(120) })
  await desk.event(1, { start_time: desk.at(90), end_time: desk.at(120) })
  assert.equal((await desk.confirm(other.id)).status, 200)
})

test('a group lapses as a whole, from the instant on', async ({ service, key, desk }) => {
  const { body: group } = await desk.place(desk.requirements([[0, 1], 1, 1], [[2]]))
  await desk.told()
  await service.clock.advance(5 * minuteMs)
  const lapsed = await desk.get(group.id)
  assert.deepEqual([lapsed.status, lapsed.reason], ['expired', 'lapsed'])
  assert.deepEqual(desk.statuses(lapsed), ['cancelled', 'cancelled', 'cancelled'])
  assert.ok((await desk.list('?status=expired')).data.some(({ id }: { id: string }) => id === group.id))
  assert.ok(!(await desk.list('?status=held')).data.some(({ id }: { id: string }) => id === group.id))
  for (const answer of [await desk.confirm(group.id), await desk.release(group.id)])
    assertRefused(answer, 409, 'conflict', { code: 'hold_expired' })
  const memberId = group.requirements[0].members[0].event_id
  const alone = await service.call('PUT', `/v1/events/${memberId}/confirm`, { key })
  assertRefused(alone, 409, 'conflict', { code: 'hold_expired' })
  assert.deepEqual(await desk.told(), [
    ...['event.hold_expired 0', 'event.hold_expired 1', 'event.hold_expired 2'],
    'hold_group.expired',
  ])
  const ended = await desk.get(group.id)
  assert.deepEqual([ended.status, ended.reason], ['expired', 'lapsed'])
  assertRefused(await desk.confirm(group.id), 409, 'conflict', { code: 'hold_expired' })
  const { body: changes } = await service.call('GET', '/v1/changes?cursor=oldest&types=hold_group.expired', { key })
  const last = changes.data.find(({ resource }: { resource: { id: string } }) => resource.id === group.id)
  assert.deepEqual(
    [last.cause, last.resource, last.calendar_id, last.revision],
    [...['timer', { type: 'hold_group', id: group.id }, null, null]],
  )
  assert.deepEqual(last.payload, { hold_group: ended })
})

test('a lapsed member that is changed first still leaves the group whole', async ({ service, key, desk }) => {
  const { body: group } = await desk.place(desk.requirements([[0]], [[1]]))
  await desk.told()
  await service.clock.advance(5 * minuteMs)
  const [{ event_id }] = group.requirements[0].members
  const patched = await service.call('PATCH', `/v1/events/${event_id}`, { key, body: { title: 'Late' } })
  assert.equal(patched.status, 200)
  assert.deepEqual(await desk.told(), [
    ...['event.hold_expired 0', 'event.updated 0', 'event.hold_expired 1', 'hold_group.expired'],
  ])
})

test('a single higher hold ends a member; the group lives while it has enough', async ({ desk }) => {
  const { body: group } = await desk.place(desk.requirements([[0, 1], 1, 1], [[2, 3], 1, 1]))
  await desk.told()
  assertRefused(await desk.hold(0), 409, 'conflict', { code: 'hold_conflict' })
  assert.equal((await desk.hold(0, { hold_priority: 1 })).status, 201)
  assert.deepEqual(await desk.told(), ['event.hold_expired 0', 'event.hold_created 0'])
  const after = await desk.get(group.id)
  assert.equal(after.status, 'held')
  assert.deepEqual(desk.statuses(after), ['cancelled', 'hold', 'hold', 'hold'])
  assert.equal((await desk.hold(1, { hold_priority: 1 })).status, 201)
  assert.deepEqual(await desk.told(), [
    ...['event.hold_expired 1', 'event.hold_expired 2', 'event.hold_expired 3', 'hold_group.expired'],
    'event.hold_created 1',
  ])
  const ended = await desk.get(group.id)
  assert.deepEqual(
    [ended.status, ended.reason, ...desk.statuses(ended)],
    [...['expired', 'preempted', 'cancelled', 'cancelled', 'cancelled', 'cancelled']],
  )
  assertRefused(await desk.confirm(group.id), 409, 'conflict', { code: 'not_a_hold' })
  assert.equal((await desk.place({ require_free: false, ...desk.requirements([[2]], [[3]]) })).status, 201)
})

test('a higher group ends lower holds and groups, equal ones never yield', async ({ desk }) => {
  const { body: single } = await desk.hold(0)
  const { body: lower } = await desk.place(desk.requirements([[1]], [[2]]))
  await desk.told()
  assertRefused(await desk.place({ ...desk.requirements([[0]], [[3]]) }), 409, 'conflict', { code: 'hold_conflict' })
  const { body: higher } = await desk.place({ hold_priority: 1, ...desk.requirements([[0]], [[1]]) })
  assert.equal(higher.status, 'held')
  const told = await desk.told()
  assert.deepEqual(told.slice(0, 4).sort(), [
    ...['event.hold_expired 0', 'event.hold_expired 1', 'event.hold_expired 2', 'hold_group.expired'],
  ])
  assert.deepEqual(told.slice(4), ['event.hold_created 0', 'event.hold_created 1', 'hold_group.created'])
  assert.equal((await desk.get(lower.id)).reason, 'preempted')
  assert.equal((await desk.eventsOn(0)).find(({ id }) => id === single.id).status, 'cancelled')
  assertRefused(await desk.place({ hold_priority: 1 }), 409, 'conflict', { code: 'hold_conflict' })
})

test('a deleted calendar ends a group that needs it, and only then', async ({ service, key, desk }) => {
  const remove = (nth: number) => service.call('DELETE', `/v1/calendars/${desk.ids[nth]}`, { key })
  const { body: group } = await desk.place(desk.requirements([[0, 1], 1, 1], [[2]]))
  await desk.told()
  await remove(0)
  const { body: late } = await desk.confirm(group.id)
  assert.deepEqual([late.status, ...desk.statuses(late)], ['confirmed', 'cancelled', 'confirmed', 'confirmed'])
  assert.deepEqual(await desk.told(), ['event.hold_confirmed 1', 'event.hold_confirmed 2', 'hold_group.confirmed'])
  const times = { start_time: desk.at(200), end_time: desk.at(230) }
  const { body: second } = await desk.place({ ...times, ...desk.requirements([[1]], [[2]]) })
  const { body: third } = await desk.place({ ...times, ...desk.requirements([[3]]) })
  await desk.told()
  await remove(1)
  assertRefused(await desk.confirm(second.id), 409, 'conflict', { code: 'not_a_hold' })
  const ended = await desk.get(second.id)
  assert.deepEqual([ended.status, ended.reason], ['expired', 'calendar_gone'])
  assert.deepEqual(await desk.told(), ['event.hold_expired 2', 'hold_group.expired'])
  await service.call('DELETE', `/v1/agents/${desk.calendars[3].agentId}`, { key })
  await desk.told()
  const gone = await desk.get(third.id)
  assert.deepEqual([gone.status, gone.reason, ...desk.statuses(gone)], ['expired', 'calendar_gone', 'cancelled'])
})

test('a renewable group is held for longer, within its bounds', async ({ service, key, desk }) => {
  const { body: fixed } = await desk.place({ start_time: desk.at(200), end_time: desk.at(210) })
  assertRefused(await desk.renew(fixed.id, { hold_expires_at: desk.at(6) }), 409, 'conflict', { code: 'not_renewable' })
  const renewUntil = desk.at(18)
  const { body: group } = await desk.place({ renewable: true, renew_until: renewUntil })
  assert.deepEqual([group.renewable, group.renew_until], [true, renewUntil])
  const fences = group.requirements.map(({ members: [one] }: { members: { hold_fence: number }[] }) => one!.hold_fence)
  assert.ok(fences.every((fence: number) => fence >= 1))
  const refused = { param: 'hold_expires_at' }
  for (const at of [0.2, 16, 4])
    assertRefused(await desk.renew(group.id, { hold_expires_at: desk.at(at) }), 400, 'validation_error', refused)
  await desk.told()
  const { status, body } = await desk.renew(group.id, { hold_expires_at: desk.at(10) })
  assert.equal(status, 200)
  assert.equal(body.hold_expires_at, desk.at(10))
  const [event] = (await desk.eventsOn(0)).filter(({ holdGroupId }) => holdGroupId === group.id)
  assert.deepEqual(
    [event.holdExpiresAt, event.renewable, event.renewUntil, event.holdFence],
    [...[desk.at(10), true, renewUntil, fences[0]]],
  )
  assert.deepEqual(await desk.told(), [])
  await service.clock.advance(5.5 * minuteMs)
  await service.drain()
  assert.equal((await desk.get(group.id)).status, 'held')
  assertRefused(await desk.renew(group.id, { hold_expires_at: desk.at(13) }), 400, 'validation_error', refused)
  const { body: changes } = await service.call('GET', '/v1/changes?cursor=oldest&types=event.hold_renewed', { key })
  assert.deepEqual(changes.data.at(-1).payload.event.holdGroupId, group.id)
  await service.clock.advance(5 * minuteMs)
  await service.drain()
  assert.deepEqual((await desk.get(group.id)).reason, 'lapsed')
  assertRefused(await desk.renew(group.id, { hold_expires_at: desk.at(5) }), 409, 'conflict', { code: 'hold_expired' })
})

test('a refusal explains what is in the way on each calendar, and when the group would fit', async ({ desk }) => {
  const { body: event } = await desk.event(0)
  const { body: hold } = await desk.hold(1)
  const { body: other } = await desk.place({ ...desk.requirements([[2]]) })
  const wanted = desk.requirements([[0, 1], 1], [[2, 3], 2])
  const { status, body } = await desk.place(wanted, '?explain=true')
  assert.equal(status, 409)
  const { blocked, alternatives, conflict, conflicts } = body.error
  const [cal0, cal1, cal2] = desk.ids
  const memberId = other.requirements[0].members[0].event_id
  const common = { hold_priority: 0, hold_expires_at: desk.at(5) }
  assert.deepEqual(blocked, [
    {
      requirement: 0,
      calendar_id: cal0,
      by: [{ kind: 'event', calendar_id: cal0, event_id: event.id, status: 'confirmed' }],
    },
    { requirement: 0, calendar_id: cal1, by: [{ kind: 'hold', calendar_id: cal1, event_id: hold.id, ...common }] },
    {
      ...{ requirement: 1, calendar_id: cal2 },
      by: [{ kind: 'hold', calendar_id: cal2, event_id: memberId, ...common, hold_group_id: other.id }],
    },
  ])
  assert.deepEqual([conflict.event_id, conflicts], [event.id, 3])
  assert.deepEqual(
    alternatives.map(({ start }: { start: string }) => start),
    [90, 120, 150, 180, 210].map(desk.at),
  )
  const [{ start: start_time, end: end_time }] = alternatives
  assert.equal((await desk.place({ ...wanted, start_time, end_time })).status, 201)
  const holdsAlone = await desk.place({ require_free: false, ...desk.requirements([[1]]) }, '?explain=true')
  assert.deepEqual(holdsAlone.body.error.retry_at, desk.at(5))
  assert.equal(holdsAlone.headers.get('retry-after'), '300')
})
