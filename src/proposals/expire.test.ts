// Proposals whose time is up.
import assert from 'node:assert/strict'
import { fireDue } from '../../workers/timers.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent, makeCalendar, makeHold, makeProposal } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { at } from '../testing/moments.ts'
import { base } from '../testing/proposals.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { timersDue } from '../timers/due.ts'

const test = serviceTest({ plan: 'custom', receives: ['proposal.expired', 'event.hold_expired'] })
  .extend('agent', perFile, ({ service, key }) => makeAgent(service, key))
  .extend('desk', async ({ service, key, receiver, agent }) => {
    await service.clock.set(testStart)
    const calendar = await makeCalendar(service, key)
    receiver.received.length = 0
    const goTo = (minutes: number) => service.clock.set(at(minutes))
    const propose = (more: object = {}) =>
      makeProposal(service, key, {
        organizer_agent_id: agent.id,
        participant_agent_ids: [agent.id],
        calendar_id: calendar.id,
        expires_at: at(10),
        ...more,
      })
    const read = async (id: string) => (await service.call('GET', `${base}/${id}`, { key })).body
    const post = (id: string, what: string, body?: object) =>
      service.call('POST', `${base}/${id}/${what}`, { key, body })
    const rowOf = async (id: string) =>
      (await service.app.sql`select status, ended_at, revision from proposals where id = ${decodeId('spr', id)!}`)[0]!
    const timersOf = (id: string) =>
      service.app.sql`select due_at from timers where subject_id = ${decodeId('spr', id)!}`
    const told = () => receiver.received.map(({ type, payload }) => ({ type, payload }))
    const fireAll = (app = service.app) => fireDue(app)
    return { calendar, goTo, propose, read, post, rowOf, timersOf, told, fireAll }
  })

const expired = (id: string) => ({ type: 'proposal.expired', payload: { proposal_id: id } })

test('a proposal expires at its very millisecond, once', async ({
  service,
  second,
  desk: { propose, read, rowOf, timersOf, told, fireAll },
}) => {
  const { id } = await propose()
  await service.clock.set(new Date(Date.parse(at(10)) - 1))
  await service.drain()
  assert.deepEqual([(await rowOf(id)).status, told()], ['pending', []])
  await service.clock.advance(1)
  await service.drain()
  await fireAll(second.app)
  await service.drain()
  const { status, endedAt } = await rowOf(id)
  assert.deepEqual([status, endedAt.toISOString()], ['expired', at(10)])
  assert.deepEqual(told(), [expired(id)])
  assert.deepEqual([...(await timersOf(id))], [])
  const ended = await read(id)
  assert.deepEqual(
    [ended.status, ended.updated_at, ended.resolved_slot, ended.created_event_id],
    ['expired', at(10), null, null],
  )
})

test('one without expires_at has no timer and waits for ever', async ({
  service,
  desk: { propose, read, timersOf, goTo, told },
}) => {
  const { id } = await propose({ expires_at: undefined })
  assert.deepEqual([...(await timersOf(id))], [])
  await goTo(10 * 365 * 24 * 60)
  await service.drain()
  assert.equal((await read(id)).status, 'pending')
  assert.deepEqual(told(), [])
})

test('responses do not put it off', async ({ service, key, agent, desk: { propose, read, post, goTo, told } }) => {
  const other = await makeAgent(service, key)
  const { id } = await propose({ participant_agent_ids: [agent.id, other.id] })
  await goTo(9)
  assert.equal((await post(id, 'respond', { agent_id: agent.id, response: 'counter' })).status, 200)
  await goTo(10)
  await service.drain()
  const { status, responses } = await read(id)
  assert.deepEqual([status, responses.length], ['expired', 1])
  assert.deepEqual(told(), [expired(id)])
})

test('one that ended in time leaves no timer, and does not expire any more', async ({
  service,
  agent,
  desk: { propose, post, timersOf, goTo, told },
}) => {
  const ends = [
    (id: string) => post(id, 'cancel'),
    (id: string) => post(id, 'respond', { agent_id: agent.id, response: 'decline' }),
    (id: string) => post(id, 'respond', { agent_id: agent.id, response: 'counter' }),
  ]
  for (const end of ends) {
    const { id } = await propose()
    assert.equal((await end(id)).status, 200)
    assert.deepEqual([...(await timersOf(id))], [])
  }
  await goTo(10)
  await service.drain()
  assert.deepEqual(told(), [])
})

test('a request that comes before the timer expires it, and the timer then finds nothing to do', async ({
  service,
  agent,
  receiver,
  desk: { propose, post, rowOf, goTo, told, fireAll },
}) => {
  for (const request of [
    (id: string) => post(id, 'cancel'),
    (id: string) => post(id, 'resolve'),
    (id: string) => post(id, 'respond', { agent_id: agent.id, response: 'counter' }),
  ]) {
    await goTo(0)
    const { id } = await propose()
    await goTo(10)
    assert.equal((await request(id)).status, 409)
    assert.equal((await rowOf(id)).status, 'expired')
    receiver.received.length = 0
    await service.drain()
    assert.deepEqual(told(), [expired(id)])
    await fireAll()
    await service.drain()
    assert.deepEqual(told(), [expired(id)])
  }
})

test('after an outage of a day each one is told once, the wake-ups come from the sweep', async ({
  service,
  second,
  desk: { propose, read, rowOf, goTo, told, fireAll },
}) => {
  const made = []
  for (let n = 0; n < 12; n++) made.push((await propose({ expires_at: at(10 + n) })).id)
  await goTo(24 * 60)
  for (const id of made) assert.equal((await read(id)).status, 'expired')
  const rung = await timersDue.due(service.app, service.clock.now())
  assert.deepEqual(
    rung.map(({ name }) => name),
    ['fire'],
  )
  await Promise.all([fireAll(), fireAll(second.app), fireAll(), fireAll(second.app)])
  await service.drain()
  assert.deepEqual(
    told()
      .map(({ payload }) => payload.proposal_id)
      .sort(),
    made.sort(),
  )
  for (const id of made) {
    const { status, endedAt } = await rowOf(id)
    assert.deepEqual([status, endedAt.toISOString()], ['expired', at(24 * 60)])
  }
})

test('a burst is fired in blocks by two workers at once, each exactly once', async ({
  service,
  second,
  desk: { propose, goTo, told, fireAll },
}) => {
  const made: string[] = []
  for (let n = 0; n < 10; n++) {
    made.push(...(await Promise.all(Array.from({ length: 20 }, async () => (await propose()).id))))
  }
  await goTo(10)
  await Promise.all([fireAll(), fireAll(second.app), fireAll(), fireAll(second.app)])
  await service.drain()
  assert.deepEqual(
    told()
      .map(({ payload }) => payload.proposal_id)
      .sort(),
    made.sort(),
  )
})

test('holds and proposals that are due together both expire', async ({
  service,
  key,
  desk: { calendar, propose, goTo, told },
}) => {
  const { id } = await propose()
  const hold = await makeHold(service, key, calendar.id, { hold_expires_at: at(10) })
  await goTo(10)
  await service.drain()
  assert.deepEqual(
    told().sort((a, b) => a.type.localeCompare(b.type)),
    [{ type: 'event.hold_expired', payload: { calendar_id: calendar.id, event_id: hold.id } }, expired(id)],
  )
})

test('it expires although its calendar was deleted and its people have left', async ({
  service,
  key,
  desk: { calendar, propose, rowOf, goTo, told },
}) => {
  const leaver = await makeAgent(service, key)
  const { id } = await propose({ organizer_agent_id: leaver.id, participant_agent_ids: [leaver.id] })
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  await service.call('DELETE', `/v1/agents/${leaver.id}`, { key })
  await goTo(10)
  await service.drain()
  assert.equal((await rowOf(id)).status, 'expired')
  assert.deepEqual(told(), [expired(id)])
})

test('one that is locked at this moment is left for the next wake-up', async ({
  service,
  desk: { propose, goTo, told },
}) => {
  const { id } = await propose()
  await goTo(10)
  const other = await service.app.sql.reserve()
  await other`begin`
  await other`select from proposals where id = ${decodeId('spr', id)!} for update`
  const begun = performance.now()
  assert.equal(await fireDue(service.app), 0)
  assert.ok(performance.now() - begun < 5_000, 'it is not waited for')
  await other`commit`
  other.release()
  assert.equal(await fireDue(service.app), 1)
  await service.drain()
  assert.deepEqual(told(), [expired(id)])
})

test('every pending proposal with an expires_at has the timer that ends it', async ({
  service,
  key,
  desk: { calendar, propose },
}) => {
  for (let n = 0; n < 5; n++) await propose({ expires_at: at(10 + n) })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      service.call('POST', base, { key, body: { title: 'x', expires_at: at(-1), calendar_id: calendar.id } }),
    ),
  )
  assert.ok(answers.every(({ status }) => status === 400))
  const rows = await service.app.sql`
    select p.id from proposals p left join timers t on t.org_id = p.org_id and t.subject_id = p.id and t.due_at = p.expires_at
    where (p.status = 'pending' and p.expires_at is not null) <> (t.due_at is not null)`
  assert.deepEqual([...rows], [])
})
