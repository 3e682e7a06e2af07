// Requests that meet at one proposal, through two APIs on the same database.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { decodeId } from '../../src/shapes/ids.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { ahead, makeAgent, makeCalendar, makeOrganization, makeProposal } from '../../src/testing/factories.ts'
import { type TestService, testStart } from '../../src/testing/harness.ts'
import type { TestProcess } from '../../src/testing/process.ts'
import type { Receiver } from '../../src/testing/receiver.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { fireDue } from '../../workers/timers.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const base = '/v1/scheduling/proposals'
const types = ['proposal.responded', 'event.created', 'proposal.confirmed', 'proposal.cancelled', 'proposal.expired']

const test = serviceTest({ plan: 'custom', receives: types })
  .extend('agents', perFile, ({ service, key }) =>
    Promise.all(Array.from({ length: 20 }, () => makeAgent(service, key))),
  )
  .extend(
    'propose',
    perFile,
    ({ service, second, key, receiver, agents }) =>
      async (participants: number, more = {}) =>
        openMeeting({ service, second, key, receiver, agents }, participants, more),
  )

test.beforeEach(async ({ service }) => {
  await service.clock.set(testStart)
})

type World = { service: TestService; second: TestProcess; key: string; receiver: Receiver; agents: Any[] }

/** A proposal on a calendar of its own. Every other request goes to the second process. */
async function openMeeting({ service, second, key, receiver, agents }: World, participants: number, more: object) {
  const calendar = await makeCalendar(service, key)
  const { id } = await makeProposal(service, key, {
    organizer_agent_id: agents[0].id,
    participant_agent_ids: agents.slice(0, participants).map((agent) => agent.id),
    calendar_id: calendar.id,
    ...more,
  })
  const read = async () => (await service.call('GET', `${base}/${id}`, { key })).body
  const proposal = await read()
  const post = (nth: number, verb: string, body?: object) =>
    (nth % 2 ? second : service).call('POST', `${base}/${id}/${verb}`, { key, body })
  const uuid = decodeId('spr', id)!
  const calendarUuid = decodeId('cal', calendar.id)!
  const eventsMade = () => service.app.sql<{ id: string }[]>`
    select id from events where calendar_id = ${calendarUuid} and metadata->>'proposal_id' = ${id}`

  /** It ended once: as it is read, as the receiver was told, with one event or none. */
  async function assertEndedOnce() {
    await service.drain()
    const ended = await read()
    const told = receiver.types()
    const last = {
      confirmed: ['event.created', 'proposal.confirmed'],
      cancelled: ['proposal.cancelled'],
      expired: ['proposal.expired'],
    }[ended.status as string]
    assert.ok(last, `is ${ended.status}`)
    assert.deepEqual(
      told.filter((type) => type !== 'proposal.responded'),
      last,
    )
    const responded = receiver.received.filter(({ type }) => type === 'proposal.responded')
    assert.deepEqual(
      responded.map(({ payload }) => payload.agent_id).sort(),
      ended.responses.map((one: Any) => one.agent_id).sort(),
    )
    assert.equal((await eventsMade()).length, ended.status === 'confirmed' ? 1 : 0)
    const [row] = await service.app.sql`select count(*)::integer as timers from timers where subject_id = ${uuid}`
    assert.equal(row!.timers, 0)
    return ended
  }

  await service.drain()
  receiver.received.length = 0
  return {
    proposal,
    send: (nth: number, agentNth: number, body: object) =>
      post(nth, 'respond', { agent_id: agents[agentNth].id, ...body }),
    accepting: (slotNth: number) => ({ response: 'accept', selected_slot_id: proposal.slots[slotNth].id }),
    resolve: (nth: number) => post(nth, 'resolve'),
    cancel: (nth: number) => post(nth, 'cancel'),
    assertEndedOnce,
  }
}

/** Starts this many turns of the event loop later, so that it meets the others at another moment. */
async function later<T>(turns: number, work: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < turns; turn++) await setImmediate()
  return work()
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

test('twenty participants respond at once: all are heard, the proposal ends once, by the votes of all', async ({
  agents,
  propose,
}) => {
  for (let round = 0; round < 6; round++) {
    const { proposal, send, accepting, assertEndedOnce } = await propose(20)
    const answers = await Promise.all(
      agents.map((_, nth) =>
        later((nth * round) % 7, () =>
          send(nth + round, nth, nth % 5 === 0 ? { response: 'counter' } : accepting(nth % 2)),
        ),
      ),
    )
    assert.deepEqual(statusesOf(answers), Array(20).fill(200))
    const ended = await assertEndedOnce()
    assert.equal(ended.status, 'confirmed')
    assert.equal(ended.responses.length, 20)
    // 8 accept either slot: the earlier one.
    assert.equal(ended.resolved_slot.id, proposal.slots[0].id)
  }
})

test('twenty participants decline at once: it is cancelled once', async ({ agents, propose }) => {
  for (let round = 0; round < 4; round++) {
    const { send, assertEndedOnce } = await propose(20)
    const answers = await Promise.all(agents.map((_, nth) => send(nth + round, nth, { response: 'decline' })))
    assert.deepEqual(statusesOf(answers), Array(20).fill(200))
    assert.equal((await assertEndedOnce()).status, 'cancelled')
  }
})

test('the last response sent twice at once is taken once, the other is a duplicate', async ({ agents, propose }) => {
  for (let round = 0; round < 12; round++) {
    const { send, accepting, assertEndedOnce } = await propose(2)
    await send(0, 0, accepting(0))
    const answers = await Promise.all([
      later(round % 3, () => send(0, 1, accepting(1))),
      later(round % 2, () => send(round < 8 ? 1 : 0, 1, { response: 'decline' })),
    ])
    assert.deepEqual(statusesOf(answers), [200, 409])
    const refused = answers.find(({ status }) => status === 409)!
    assert.deepEqual([refused.body.error.type, refused.body.error.code], ['conflict', 'duplicate_response'])
    const ended = await assertEndedOnce()
    assert.deepEqual(
      ended.responses.find((one: Any) => one.agent_id === agents[1].id),
      answers.find(({ status }) => status === 200)!.body,
    )
  }
})

test('twenty resolves at once make one event', async ({ propose }) => {
  for (let round = 0; round < 5; round++) {
    const { send, accepting, resolve, assertEndedOnce } = await propose(2)
    await send(0, 0, accepting(1))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => later((nth * round) % 5, () => resolve(nth))),
    )
    assert.deepEqual(statusesOf(answers), [200, ...Array(19).fill(409)])
    for (const { status, body } of answers) {
      if (status === 409) assert.deepEqual([body.error.type, body.error.code], ['conflict', undefined])
    }
    assert.equal((await assertEndedOnce()).status, 'confirmed')
  }
})

test('a resolve and a cancel meet: one of them ends it, the other is told so', async ({ propose }) => {
  for (let round = 0; round < 20; round++) {
    const { send, accepting, resolve, cancel, assertEndedOnce } = await propose(2)
    await send(0, 0, accepting(0))
    const [resolved, cancelled] = await Promise.all([
      later(round % 4, () => resolve(round)),
      later((round * 3) % 7, () => cancel(round + 1)),
    ])
    const { status } = await assertEndedOnce()
    assert.deepEqual([resolved.status, cancelled.status], status === 'confirmed' ? [200, 409] : [409, 200], status)
  }
})

test('a resolve, a cancel and the expiry meet: one of them ends it, and everybody agrees on which', async ({
  service,
  second,
  propose,
}) => {
  const outcomes = new Set<string>()
  // How long a request takes to its change differs with what lies between: the expiry looks for that moment itself.
  let turns = 0
  for (let round = 0; round < 36; round++) {
    await service.clock.set(testStart)
    const { proposal, send, accepting, resolve, cancel, assertEndedOnce } = await propose(2, {
      expires_at: ahead(service, 10),
    })
    await send(0, 0, accepting(0))
    const expire = async () => {
      await service.clock.set(proposal.expires_at)
      await Promise.all([fireDue(service.app), fireDue(second.app)])
    }
    const [resolved, cancelled] = await Promise.all([
      later(round % 4, () => resolve(0)),
      later((round * 3) % 7, () => cancel(0)),
      later(turns, expire),
    ])
    const { status } = await assertEndedOnce()
    outcomes.add(status)
    turns = status === 'expired' ? turns * 2 + 1 : Math.floor(turns / 3)
    const winners = { confirmed: [200, 409], cancelled: [409, 200], expired: [409, 409] }
    assert.deepEqual([resolved.status, cancelled.status], winners[status as keyof typeof winners], status)
  }
  assert.ok(outcomes.size > 1, `${[...outcomes]}: the moments differ`)
})

test('responses, resolves and cancels of all at once end it once, and none is answered with a 5xx', async ({
  service,
  propose,
}) => {
  for (let round = 0; round < 8; round++) {
    const { send, accepting, resolve, cancel, assertEndedOnce } = await propose(6, { expires_at: ahead(service, 10) })
    const works = [
      ...Array.from(
        { length: 6 },
        (_, nth) => () => send(nth, nth, nth % 3 ? accepting(nth % 2) : { response: 'decline' }),
      ),
      ...Array.from({ length: 6 }, (_, nth) => () => send(nth + 1, nth, { response: 'counter' })),
      () => resolve(0),
      () => resolve(1),
      ...(round % 2 ? [() => cancel(0), () => cancel(1)] : []),
    ]
    const answers = await Promise.all(works.map((work, nth) => later((nth * (round + 1)) % 6, work)))
    for (const { status, body } of answers) assert.ok([200, 409].includes(status), JSON.stringify(body))
    const responses = answers.slice(0, 12).filter(({ status }) => status === 200)
    const ended = await assertEndedOnce()
    assert.deepEqual(ended.responses.map(({ id }: Any) => id).sort(), responses.map(({ body }) => body.id).sort())
  }
})

test('twenty resolves at once take one event of the month', async ({ service }) => {
  const { key: of } = await makeOrganization(service, { plan: 'custom', limits: { events: 2 } })
  const [agent, target] = [await makeAgent(service, of), await makeCalendar(service, of)]
  const { id } = await makeProposal(service, of, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id, (await makeAgent(service, of)).id],
    calendar_id: target.id,
  })
  const post = (what: string, body?: object) => service.call('POST', `${base}/${id}/${what}`, { key: of, body })
  assert.equal((await post('respond', { agent_id: agent.id, response: 'counter' })).status, 200)
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('resolve')))
  assert.deepEqual(statusesOf(answers), [200, ...Array(19).fill(409)])
  const body = { title: 'x', start_time: ahead(service, 1), end_time: ahead(service, 2) }
  const create = () => service.call('POST', `/v1/calendars/${target.id}/events`, { key: of, body })
  assert.deepEqual([(await create()).status, (await create()).status], [201, 429])
})

test('the last events of the month go to as many proposals, the others stay pending', async ({ service }) => {
  const { id: org, key: of } = await makeOrganization(service, { plan: 'custom', limits: { events: 3 } })
  const [agent, target] = [await makeAgent(service, of), await makeCalendar(service, of)]
  const parties = { organizer_agent_id: agent.id, participant_agent_ids: [agent.id], calendar_id: target.id }
  const made = await Promise.all(Array.from({ length: 10 }, () => makeProposal(service, of, parties)))
  const answers = await Promise.all(
    made.map(({ id }) =>
      service.call('POST', `${base}/${id}/respond`, { key: of, body: { agent_id: agent.id, response: 'counter' } }),
    ),
  )
  assert.deepEqual(statusesOf(answers), Array(10).fill(200))
  const total = async (status: string) =>
    (await service.call('GET', `${base}?status=${status}`, { key: of })).body.total
  assert.deepEqual([await total('confirmed'), await total('pending')], [3, 7])
  const rows = await service.app.sql`select id from events where org_id = ${decodeId('org', org)!}`
  assert.equal(rows.length, 3)
})

test('proposals that end on one calendar at once do not wait for each other in vain', async ({
  service,
  second,
  key,
  agents,
}) => {
  const calendar = await makeCalendar(service, key)
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, nth) =>
      makeProposal(service, key, {
        organizer_agent_id: agents[nth].id,
        participant_agent_ids: [agents[nth].id],
        calendar_id: calendar.id,
      }),
    ),
  )
  const answers = await Promise.all(
    made.map(({ id }, nth) =>
      (nth % 2 ? second : service).call('POST', `${base}/${id}/respond`, {
        key,
        body: { agent_id: agents[nth].id, response: 'counter' },
      }),
    ),
  )
  assert.deepEqual(statusesOf(answers), Array(12).fill(200))
  const [row] = await service.app.sql`
    select c.confirmed_events as counted, (select count(*)::integer from events e where e.calendar_id = c.id) as events
    from calendars c where c.id = ${decodeId('cal', calendar.id)!}`
  assert.deepEqual({ ...row }, { counted: 12, events: 12 })
})
