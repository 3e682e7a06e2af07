// Groups that meet: on the same calendars in opposite orders, beside single holds, expiries and confirmations, through two processes.
import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answer.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertWhole, countDeadlocks, groupTest } from '../../src/testing/holdGroups.ts'
import { fireDue } from '../../workers/timers.ts'

const test = groupTest(10)

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

test('fifty groups over ten calendars in opposite orders, beside single holds: some order, never half a group', async ({
  service,
  second,
  key,
  desk,
}) => {
  const before = await countDeadlocks(service)
  const wanted = Array.from({ length: 50 }, (_, nth) => {
    const numbers = [0, 1, 2, 3].map((step) => (nth * 3 + step * (1 + (nth % 3))) % 10)
    const distinct = [...new Set(numbers)]
    const ordered = nth % 2 === 0 ? distinct : distinct.toReversed()
    return desk.requirements(...ordered.map((one): [number[]] => [[one]]))
  })
  const place = (nth: number) =>
    (nth % 2 ? second : service).call('POST', '/v1/hold-groups', {
      key,
      body: {
        ...{ title: `Group ${nth}`, start_time: desk.at(60), end_time: desk.at(90), hold_expires_at: desk.at(5) },
        ...{ hold_priority: nth % 7, ...wanted[nth] },
      },
    })
  const answers = await Promise.all([
    ...wanted.map((_, nth) => place(nth)),
    ...Array.from({ length: 20 }, (_, nth): Promise<Answer> => desk.hold(nth % 10, { hold_priority: nth % 5 })),
  ])
  for (const { status, body } of answers) {
    assert.ok(status === 201 || status === 409, JSON.stringify(body))
    if (status === 409) assert.equal(body.error.code, 'hold_conflict')
  }
  const groups = answers.slice(0, 50).flatMap(({ status, body }) => (status === 201 ? [body.id as string] : []))
  assert.ok(groups.length > 0)
  await assertWhole(desk, groups)
  assert.equal(await countDeadlocks(service), before)
})

test('lapse meets confirm and release: one of them wins for all members', async ({ service, second, key, desk }) => {
  for (let round = 0; round < 8; round++) {
    await service.clock.set(testStart)
    const { body: group } = await desk.place(desk.requirements([[0, 1], 1, 1], [[2], 1], [[3, 4], 2]))
    await service.clock.set(new Date(testStart.getTime() + 5 * 60_000 - (round % 2)))
    const verb = round % 4 < 2 ? 'confirm' : 'release'
    const ask = () => second.call('PUT', `/v1/hold-groups/${group.id}/${verb}`, { key })
    const sides = [ask, () => service.clock.advance(1).then(() => fireDue(service.app)), ask]
    const [first] = await Promise.all(sides.map((side) => side()))
    assert.ok([200, 409].includes((first as Answer).status))
    await service.clock.set(new Date(testStart.getTime() + 6 * 60_000))
    await service.drain()
    const after = await desk.get(group.id)
    assert.ok(['confirmed', 'released', 'expired'].includes(after.status))
    await assertWhole(desk, [group.id])
    const confirmed = after.requirements.flatMap(({ members }: Any) =>
      members.filter((one: Any) => one.status === 'confirmed'),
    )
    assert.equal(confirmed.length, after.status === 'confirmed' ? 4 : 0)
    for (const { event_id } of confirmed) await service.call('DELETE', `/v1/events/${event_id}`, { key })
  }
})

test('twenty requests with one key place one group', async ({ service, second, key, desk }) => {
  const body = {
    ...{ title: 'Once', start_time: desk.at(60), end_time: desk.at(90), hold_expires_at: desk.at(5) },
    ...desk.requirements([[0]], [[1]]),
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      (nth % 2 ? second : service).call('POST', '/v1/hold-groups', {
        key,
        body,
        headers: { 'idempotency-key': 'one' },
      }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ body: { id } }) => id)).size, 1)
  assert.equal((await desk.eventsOn(0)).length, 1)
})
