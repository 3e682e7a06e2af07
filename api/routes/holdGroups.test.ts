// Placing, reading and releasing hold groups.
import assert from 'node:assert/strict'
import { makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { groupBody, groupTest } from '../../src/testing/holdGroups.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = groupTest()

test('a group holds a time on every calendar; its members are holds that name it', async ({ service, key, desk }) => {
  const body = { hold_priority: 7, description: 'On site', metadata: { team: 'research' } }
  const { status, body: group } = await desk.place(body)
  assert.equal(status, 201)
  assert.match(group.id, /^hgr_[0-9a-z]{26}$/)
  const { id, requirements, created_at, updated_at, ...rest } = group
  assert.deepEqual(rest, {
    ...{ status: 'held', reason: null, title: 'Interview', description: 'On site', metadata: { team: 'research' } },
    ...{ start_time: desk.at(60), end_time: desk.at(90), hold_expires_at: desk.at(5) },
    ...{ hold_priority: 7, require_free: true },
  })
  assert.deepEqual([created_at, updated_at], [desk.at(0), desk.at(0)])
  assert.deepEqual(desk.heldOn(group), [0, 1, 2, 3])
  for (const [nth, { need, spare, members }] of requirements.entries()) {
    const [{ event_id, ...member }] = members
    assert.deepEqual([need, spare, members.length], [1, 0, 1])
    assert.deepEqual(member, {
      ...{ calendar_id: desk.ids[nth], agent_id: desk.calendars[nth].agentId },
      ...{ start_time: desk.at(60), end_time: desk.at(90), status: 'hold' },
    })
    const event = (await service.call('GET', `/v1/events/${event_id}`, { key })).body
    assert.deepEqual(
      [event.status, event.title, event.description, event.holdGroupId, event.holdPriority, event.holdExpiresAt],
      ['hold', 'Interview', 'On site', id, 7, desk.at(5)],
    )
    assert.deepEqual(event.metadata, { team: 'research' })
  }
  assert.deepEqual(await desk.get(id), group)
  assert.deepEqual(await desk.told(), [...[0, 1, 2, 3].map((nth) => `event.hold_created ${nth}`), 'hold_group.created'])
})

test('each requirement takes what it needs in the order listed, spares only where nothing yields', async ({ desk }) => {
  const low = { hold_priority: 1, require_free: true, ...desk.requirements([[0]]) }
  assert.equal((await desk.place(low)).status, 201)
  const { body: group } = await desk.place({ hold_priority: 5, ...desk.requirements([[0, 1, 2, 3], 2, 1]) })
  assert.deepEqual(desk.heldOn(group), [1, 2, 3])
  await desk.release(group.id)
  const { body: second } = await desk.place({ hold_priority: 5, ...desk.requirements([[0, 1, 2, 3], 4, 5]) })
  assert.deepEqual(desk.heldOn(second), [1, 2, 3, 0])
  assert.deepEqual([second.requirements[0].need, second.requirements[0].spare], [4, 5])
})

test('if a requirement has too few calendars, nothing is held anywhere', async ({ desk }) => {
  await desk.event(3)
  assertRefused(await desk.place(), 409, 'conflict', { code: 'hold_conflict' })
  assert.deepEqual(await desk.eventsOn(0), [])
  assert.equal((await desk.place({ require_free: false })).status, 201)
  assertRefused(await desk.place({ require_free: false }), 409, 'conflict', { code: 'hold_conflict' })
})

test('requirements may have times of their own', async ({ desk }) => {
  const { requirements } = desk.requirements([[0]], [[1]])
  const own = [requirements[0], { ...requirements[1], start_time: desk.at(90), end_time: desk.at(120) }]
  const { body: group } = await desk.place({ requirements: own })
  const times = group.requirements.map(({ members: [one] }: { members: { start_time: string }[] }) => one!.start_time)
  assert.deepEqual(times, [desk.at(60), desk.at(90)])
})

test('with confirm, the events are confirmed at once and no spares are made', async ({ service, key, desk }) => {
  const { status, body: group } = await desk.place({
    ...{ confirm: true, hold_expires_at: undefined },
    ...desk.requirements([[0, 1, 2], 2, 1]),
  })
  assert.equal(status, 201)
  assert.deepEqual([group.status, group.hold_expires_at], ['confirmed', null])
  assert.deepEqual(desk.statuses(group), ['confirmed', 'confirmed'])
  assert.deepEqual(await desk.told(), ['event.created 0', 'event.created 1', 'hold_group.confirmed'])
  const [event] = await desk.eventsOn(0)
  assert.deepEqual(
    [event.status, event.holdGroupId, event.holdExpiresAt, event.holdPriority],
    ['confirmed', group.id, null, 0],
  )
  const patched = await service.call('PATCH', `/v1/events/${event.id}`, { key, body: { title: 'Moved' } })
  assert.equal(patched.status, 200)
  assertRefused(await desk.release(group.id), 409, 'conflict', { code: 'not_a_hold' })
})

test('what is malformed is refused by name', async ({ service, key, desk }) => {
  const { at, ids } = desk
  const one = (more: object) => ({ requirements: [{ calendar_ids: [ids[0]], ...more }] })
  const table: [body: object, param: string, code?: string][] = [
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ end_time: at(60) }, 'end_time', 'end_before_start'],
    [{ hold_expires_at: undefined }, 'hold_expires_at'],
    [{ hold_expires_at: at(16) }, 'hold_expires_at'],
    [{ hold_expires_at: at(0.4) }, 'hold_expires_at'],
    [{ confirm: true }, 'hold_expires_at'],
    [{ confirm: true, hold_expires_at: undefined, renewable: true }, 'renewable'],
    [{ hold_priority: 101 }, 'hold_priority'],
    [{ renew_until: at(60) }, 'renew_until'],
    [{ renewable: true, renew_until: at(4) }, 'renew_until'],
    [{ renewable: true, renew_until: at(24 * 60 + 1) }, 'renew_until'],
    [{ requirements: [] }, 'requirements'],
    [{ requirements: Array(21).fill({ calendar_ids: [ids[0]] }) }, 'requirements'],
    [{ requirements: [{ calendar_ids: [] }] }, 'requirements.0.calendar_ids'],
    [
      { requirements: [{ calendar_ids: [ids[0]] }, { calendar_ids: [ids[1], ids[0]] }] },
      'requirements.1.calendar_ids.1',
    ],
    [one({ need: 2 }), 'requirements.0.need'],
    [one({ need: 0 }), 'requirements.0.need'],
    [one({ spare: 21 }), 'requirements.0.spare'],
    [one({ end_time: at(60) }), 'requirements.0.end_time', 'end_before_start'],
    [one({ pool_id: 'pol_1' }), 'requirements.0.pool_id'],
    [{ surprise: 1 }, 'surprise'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await desk.place(body), 400, 'validation_error', { param, ...(code && { code }) })
  }
  const many = (counts: number[], more: object) =>
    counts.map((count, nth) => ({ calendar_ids: Array.from({ length: count }, (_, i) => `cal_${nth}_${i}`), ...more }))
  for (const requirements of [many([26, 25], {}), many([1, 1, 1], { spare: 20 })])
    assertRefused(await desk.place({ requirements }), 400, 'validation_error', { param: 'requirements' })
  const answer = await service.call('POST', '/v1/hold-groups?dryRun=true', { key, body: groupBody(service, ids) })
  assertRefused(answer, 400, 'validation_error', { param: 'dryRun' })
})

test('unknown and foreign calendars are not found, another agent’s is forbidden', async ({ service, key, desk }) => {
  const foreign = await makeOrganization(service, { plan: 'pro' })
  const theirs = await makeCalendar(service, foreign.key)
  for (const id of ['nonsense', theirs.id]) {
    const requirements = [{ calendar_ids: [desk.ids[0], id] }]
    const param = 'requirements.0.calendar_ids.1'
    assertRefused(await desk.place({ requirements }), 404, 'not_found', { param, code: 'calendar_not_found' })
  }
  const agentKey = await makeAgentKey(service, key, desk.calendars[0].agentId)
  const as = (body: object) =>
    service.call('POST', '/v1/hold-groups', { key: agentKey, body: groupBody(service, desk.ids, body) })
  assertRefused(await as(desk.requirements([[0, 1]])), 403, 'forbidden')
  const { body: own } = await as(desk.requirements([[0]]))
  assert.equal(own.status, 'held')
  const { body: mixed } = await desk.place({ ...desk.requirements([[1]], [[2]]) })
  const read = (id: string) => service.call('GET', `/v1/hold-groups/${id}`, { key: agentKey })
  assert.deepEqual((await read(own.id)).body, own)
  assertRefused(await read(mixed.id), 403, 'forbidden')
  const list = (await service.call('GET', '/v1/hold-groups', { key: agentKey })).body
  assert.deepEqual(list.data, [own])
  const theirsRead = await service.call('GET', `/v1/hold-groups/${own.id}`, { key: foreign.key })
  assertRefused(theirsRead, 404, 'not_found')
})

test('groups need a paid plan, before anything else is looked at', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['GET', '/hgr_1'],
    ['PUT', '/hgr_1/confirm'],
    ['PUT', '/hgr_1/release'],
    ['PUT', '/hgr_1/renew'],
  ] as const) {
    const answer = await service.call(method, `/v1/hold-groups${path}`, { key })
    assertRefused(answer, 403, 'plan_required', { feature: 'temporal_holds' })
  }
})

test('a release ends every hold at once', async ({ desk }) => {
  const { body: group } = await desk.place(desk.requirements([[0, 1], 1, 1]))
  await desk.told()
  const { status, body } = await desk.release(group.id)
  assert.equal(status, 200)
  assert.deepEqual([body.status, body.reason, ...desk.statuses(body)], ['released', null, 'cancelled', 'cancelled'])
  assert.deepEqual(await desk.get(group.id), body)
  assert.deepEqual(await desk.told(), ['event.hold_released 0', 'event.hold_released 1', 'hold_group.released'])
  assertRefused(await desk.release(group.id), 409, 'conflict', { code: 'not_a_hold' })
  assertRefused(await desk.release('hgr_none'), 404, 'not_found')
  assert.equal((await desk.place()).status, 201)
})

test('one member alone cannot be changed', async ({ service, key, desk }) => {
  const { body: group } = await desk.place()
  const eventId = group.requirements[0].members[0].event_id
  const alone = (method: string, path = '', body?: object) =>
    service.call(method, `/v1/events/${eventId}${path}`, { key, ...(body && { body }) })
  for (const answer of [
    await alone('PUT', '/confirm'),
    await alone('PUT', '/release'),
    await alone('PATCH', '', { title: 'Mine' }),
    await alone('DELETE'),
  ])
    assertRefused(answer, 409, 'conflict', { code: 'hold_in_group' })
  assert.deepEqual(await desk.get(group.id), group)
  for (const answer of [
    await alone('PUT', '/confirm?explain=true'),
    await alone('PUT', '/release?explain=true'),
    await alone('PATCH', '?explain=true', { title: 'Mine' }),
    await alone('DELETE', '?explain=true'),
  ]) {
    const { code, conflict, conflicts, alternatives, retry_at } = answer.body.error
    assert.deepEqual([answer.status, code, conflicts, retry_at], [409, 'hold_in_group', 1, desk.at(5)])
    assert.deepEqual(conflict, {
      ...{ kind: 'hold', calendar_id: desk.ids[0], event_id: eventId, hold_group_id: group.id },
      ...{ hold_priority: 0, hold_expires_at: desk.at(5), agent_id: desk.calendars[0].agentId },
      ...{ start_time: desk.at(60), end_time: desk.at(90) },
    })
    assert.equal(alternatives[0].start, desk.at(90))
    assert.equal(answer.headers.get('retry-after'), '300')
  }
})

test('the list is newest first and filters by status', async ({ desk }) => {
  const { body: first } = await desk.place(desk.requirements([[0]]))
  const { body: second } = await desk.place(desk.requirements([[1]]))
  const { body: released } = await desk.release(first.id)
  const ids = async (query: string) => (await desk.list(query)).data.map(({ id }: { id: string }) => id)
  assert.deepEqual((await ids('')).slice(0, 2), [second.id, first.id])
  assert.ok((await ids('?status=held')).includes(second.id))
  assert.ok(!(await ids('?status=held')).includes(first.id))
  assert.deepEqual((await desk.list('?status=released&limit=1')).data, [released])
})

test('all units of the budget are taken before the first hold, and those of spares that were not placed come back', async ({
  service,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 5 } })
  const calendars = await Promise.all([1, 2, 3].map(() => makeCalendar(service, key)))
  const place = (spare: number, query = '', minutes = 60) =>
    service.call('POST', `/v1/hold-groups${query}`, {
      key,
      body: groupBody(service, [], {
        ...{ start_time: new Date(service.clock.now().getTime() + minutes * 60_000).toISOString() },
        ...{ end_time: new Date(service.clock.now().getTime() + (minutes + 30) * 60_000).toISOString() },
        requirements: [{ calendar_ids: calendars.map(({ id }) => id), need: 2, spare }],
      }),
    })
  const used = async () => (await service.call('GET', '/v1/usage', { key })).body.usage?.events?.used
  assertRefused(await place(4), 429, 'quota_exceeded')
  assertRefused(await place(4, '?dry_run=true'), 429, 'quota_exceeded')
  const dry = await place(3, '?dry_run=true')
  assert.equal(dry.status, 200)
  assert.deepEqual(dry.body.spends, { events: 3 })
  assert.equal((await place(3)).status, 201)
  assertRefused(await place(1, '', 200), 429, 'quota_exceeded')
  assert.equal((await place(0, '', 200)).status, 201)
  assertRefused(await place(0, '', 300), 429, 'quota_exceeded')
  assert.ok((await used()) === undefined || (await used()) === 5)
})
