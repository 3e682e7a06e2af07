// New events of several actors that come at once share statements. Each is written, refused and told as if it were alone.
import assert from 'node:assert/strict'
import { decodeId, newId } from '../shapes/ids.ts'
import { actorOf } from '../testing/actors.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { createEvent } from './create.ts'

const rounds = 10

const test = serviceTest({ plan: 'custom', receives: ['event.created'] }).extend(
  'desk',
  async ({ service, organization, key }) => {
    await service.clock.set(testStart)
    const agent = await makeAgent(service, key)
    const own = await makeCalendar(service, key, agent.id)
    const foreign = await makeCalendar(service, key, (await makeAgent(service, key)).id)
    const other = await makeOrganization(service, { plan: 'custom' })
    const others = await makeCalendar(service, other.key)
    const { sql } = service.app
    return {
      actors: [
        { actor: actorOf(organization.id), reaches: [own.id, foreign.id] },
        { actor: actorOf(organization.id, agent.id), reaches: [own.id] },
        { actor: actorOf(other.id), reaches: [others.id] },
      ],
      calendarIds: [own.id, foreign.id, others.id] as string[],
      keys: { organization: key, agent: await makeAgentKey(service, key, agent.id) },
      async state(calendarId: string) {
        const [row] = await sql<{ revision: number; confirmed: number; events: number; statements: number }[]>`
        select revision, confirmed_events as confirmed,
          (select count(*)::integer from events e where e.calendar_id = c.id) as events,
          (select count(distinct e.xmin::text)::integer from events e where e.calendar_id = c.id) as statements
        from calendars c
        where id = ${decodeId('cal', calendarId)!}`
        return row!
      },
    }
  },
)

test('of new events that come at once each actor gets its own, and only where it may write', async ({
  service,
  receiver,
  desk: { actors, calendarIds, state },
}) => {
  const asked = Array.from({ length: rounds }, (_, round) =>
    actors.flatMap((actor, nth) => calendarIds.map((calendarId) => ({ ...actor, nth, calendarId, round }))),
  ).flat()
  const before = await Promise.all(calendarIds.map(state))
  const created = await Promise.allSettled(
    asked.map(({ actor, nth, calendarId, round }) =>
      createEvent(service.app, actor, calendarId, {
        title: `${nth} ${calendarId} ${round}`,
        ...{ start_time: new Date('2031-03-02T09:00:00Z'), end_time: new Date('2031-03-02T10:00:00Z') },
        ...{ status: 'confirmed', all_day: false },
      }),
    ),
  )
  const events = created.flatMap((outcome, at) => {
    const { nth, calendarId, round, reaches } = asked[at]!
    assert.equal(outcome.status === 'fulfilled', reaches.includes(calendarId))
    if (outcome.status === 'rejected') {
      assert.match(outcome.reason.type, /^(forbidden|not_found)$/)
      return []
    }
    const { event } = outcome.value
    assert.deepEqual([event.title, event.calendarId], [`${nth} ${calendarId} ${round}`, calendarId])
    return [event]
  })
  for (const [nth, calendarId] of calendarIds.entries()) {
    const made = events.filter((event) => event.calendarId === calendarId).length
    const { revision, confirmed, events: stored, statements } = await state(calendarId)
    assert.deepEqual([confirmed, stored], [made, made])
    // A statement counts once in the revision, whatever it refused beside.
    assert.equal(revision, before[nth]!.revision + statements)
    assert.ok(statements < made, `${made} events took ${statements} statements`)
  }
  await service.drain()
  const told = receiver.received.map(({ payload }) => payload.event)
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
  assert.deepEqual(told.sort(byId), events.filter(({ calendarId }) => calendarId !== calendarIds[2]).sort(byId))
})

test('the audit log says of each event in which request it was made, and by whom', async ({
  service,
  key,
  desk: { calendarIds, keys },
}) => {
  const made = await Promise.all(
    Object.values(keys).flatMap((actorKey) =>
      Array.from({ length: rounds }, async () => {
        const body = { title: 'Event', start_time: '2031-03-02T09:00:00Z', end_time: '2031-03-02T10:00:00Z' }
        const path = `/v1/calendars/${calendarIds[0]}/events`
        const { body: event, headers } = await service.call('POST', path, { key: actorKey, body })
        return { resource: event.id, request: headers.get('x-request-id'), actorKey }
      }),
    ),
  )
  const { body } = await service.call('GET', '/v1/audit-log?action=event.create&limit=100', { key })
  for (const { resource, request, actorKey } of made) {
    const entries = body.data.filter((entry: { resource: string }) => entry.resource === resource)
    assert.equal(entries.length, 1)
    assert.equal(entries[0].request_id, request)
    assert.equal(entries[0].agent_id === null, actorKey === keys.organization)
    assert.ok(actorKey.startsWith(entries[0].actor_key_prefix))
  }
})

const times = {
  start_time: new Date('2031-03-02T09:00:00Z'),
  end_time: new Date('2031-03-02T10:00:00Z'),
  all_day: false,
}

test('of two with one Idempotency-Key that meet in a statement one is written, and the others beside them', async ({
  service,
  desk: { actors, calendarIds },
}) => {
  const [{ actor }, other] = [actors[0]!, actors[2]!]
  const responseKey = { orgId: actor.orgId, id: newId(), fingerprint: Buffer.alloc(32) }
  const keyed = { ...actor, request: { ...actor.request, responseKey } }
  const body = { title: 'x', status: 'confirmed' as const, ...times }
  const create = (one: typeof actor, calendarId: string | undefined) => createEvent(service.app, one, calendarId!, body)
  const outcomes = await Promise.allSettled([
    create(keyed, calendarIds[0]),
    create(other.actor, calendarIds[2]),
    create(keyed, calendarIds[0]),
  ])
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'fulfilled' ? 'written' : one.reason.code)),
    ['written', 'written', '23505'],
  )
})

test('of holds that meet in a round the first is granted; the others are refused by it, or granted beside it', async ({
  service,
  desk: { actors, calendarIds, state },
}) => {
  const { actor } = actors[0]!
  const hold = (hour: number, hold_priority = 0) =>
    createEvent(service.app, actor, calendarIds[0]!, {
      ...{ title: `${hour}`, status: 'hold', all_day: false, hold_priority },
      start_time: new Date(Date.UTC(2031, 2, 4, hour)),
      end_time: new Date(Date.UTC(2031, 2, 4, hour, 30)),
      hold_expires_at: new Date(testStart.getTime() + 300_000),
    })
  const before = await state(calendarIds[0]!)
  const outcomes = await Promise.allSettled([hold(9), hold(10), hold(9), hold(11), hold(10, 5)])
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'fulfilled' ? 'granted' : one.reason.detail.code)),
    ['granted', 'granted', 'hold_conflict', 'granted', 'granted'],
  )
  const last = outcomes[4]! as PromiseFulfilledResult<Awaited<ReturnType<typeof hold>>>
  const second = outcomes[1]! as typeof last
  assert.deepEqual(last.value.preempted, [second.value.event.id])
  const after = await state(calendarIds[0]!)
  assert.equal(after.revision, before.revision + 2, 'three in one statement, and the one that ends another')
})

test('a hold that is placed while others are confirmed, released and deleted is granted', async ({
  service,
  key,
  desk: { calendarIds },
}) => {
  const path = `/v1/calendars/${calendarIds[0]}/events`
  const hold = (hour: number) => ({
    ...{ title: 'h', status: 'hold', hold_expires_at: new Date(testStart.getTime() + 300_000).toISOString() },
    start_time: new Date(Date.UTC(2031, 2, 5, hour)).toISOString(),
    end_time: new Date(Date.UTC(2031, 2, 5, hour, 30)).toISOString(),
  })
  const place = (hour: number) => service.call('POST', path, { key, body: hold(hour) })
  const placed = await Promise.all([0, 1, 2].map(place))
  const [confirmed, released, deleted] = placed.map(({ body }) => body.id)
  const answers = await Promise.all([
    ...[3, 4, 5, 6].map(place),
    service.call('PUT', `/v1/events/${confirmed}/confirm`, { key }),
    service.call('PUT', `/v1/events/${released}/release`, { key }),
    service.call('DELETE', `/v1/events/${deleted}`, { key }),
    ...[7, 8, 1].map(place),
  ])
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(statuses.slice(0, -1), [201, 201, 201, 201, 200, 200, 204, 201, 201])
  assert.ok([201, 409].includes(statuses.at(-1)!), 'at the time of the one that is released')
})
