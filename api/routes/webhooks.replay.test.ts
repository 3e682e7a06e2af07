import assert from 'node:assert/strict'
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, type Uuid } from '../../src/shapes/ids.ts'
import { deliveryTest, type Looked } from '../../src/testing/deliveries.ts'
import {
  makeAgent,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { openProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { unknownWebhook } from '../../src/testing/webhooks.ts'
import { replaysDue, walkReplay } from '../../src/webhooks/replayWalk.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'

const test = deliveryTest().extend('house', async ({ service, newReceiver }) => {
  const receiver = await newReceiver()
  const { key, id: orgId } = await makeOrganization(service, { plan: 'custom' })
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created', 'agent.updated'])
  const from = service.clock.now().toISOString()
  const path = `/v1/webhooks/${webhook.id}`
  const replay = (body: object = {}) => service.call('POST', `${path}/replay`, { key, body: { from, ...body } })
  return {
    ...{ receiver, key, orgId, webhook, from, path, replay },
    read: async (id: string) => (await service.call('GET', `${path}/replays/${id}`, { key })).body,
    history: async (): Promise<Looked> => (await service.call('GET', `${path}/deliveries?limit=100`, { key })).body,
    patch: (body: object) => service.call('PATCH', path, { key, body }),
    /** New agents whose deliveries end with this status, without a retry. */
    async send(status: number, count = 1): Promise<string[]> {
      receiver.answer = () => status
      const before = receiver.received.length
      for (let nth = 0; nth < count; nth++) await makeAgent(service, key)
      await service.app.sql`
        update webhook_deliveries set retry_schedule = '{}' where org_id = ${decodeId('org', orgId)!} and attempts = 0`
      await service.drain()
      receiver.answer = () => 200
      return receiver.received.slice(before).map(({ deliveryId }) => deliveryId)
    },
  }
})

const idsOf = (received: readonly { deliveryId: string }[]) => received.map(({ deliveryId }) => deliveryId).toSorted()

test('failed deliveries of the window go out again, under their ids and with the same bytes, and no others', async ({
  service,
  house,
}) => {
  const { receiver, send, replay, read, history, key } = house
  await send(500)
  await service.clock.advance(minuteMs)
  const from = service.clock.now().toISOString()
  const failed = await send(500, 3)
  await send(200, 2)
  await service.clock.advance(minuteMs)
  const to = service.clock.now().toISOString()
  await service.clock.advance(minuteMs)
  await send(500)
  const before = receiver.received.length
  const { status, body } = await replay({ from, to })
  assert.equal(status, 202)
  assert.match(body.id, /^rpl_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.deepEqual(body, { id: body.id, matched: 3, status: 'pending' })
  const created_at = service.clock.now().toISOString()
  assert.deepEqual(await read(body.id), { ...body, progress: 0, created_at })
  await service.drain()
  assert.deepEqual(await read(body.id), { ...body, status: 'done', progress: 3, created_at })
  const again = receiver.received.slice(before)
  assert.deepEqual(idsOf(again), failed.toSorted())
  for (const { deliveryId, raw } of again) {
    const first = receiver.received.find((one) => one.deliveryId === deliveryId)!
    assert.equal(raw, first.raw)
  }
  const { data, stats } = await history()
  assert.deepEqual(stats, { pending: 0, delivered: 5, failed: 2 })
  for (const id of failed) assert.equal(data.find((one: Looked) => one.id === id).attempts, 2)
  const { body: log } = await service.call('GET', '/v1/audit-log?action=webhook.replay', { key })
  assert.deepEqual(
    log.data.map(({ resource }: Looked) => resource),
    [body.id],
  )
})

test('`only` and `types` choose', async ({ service, house }) => {
  const { receiver, key, send, replay } = house
  const [failed] = await send(500)
  const [delivered] = await send(200)
  const agent = await makeAgent(service, key)
  await service.drain()
  const other = receiver.received.at(-1)!.deliveryId
  receiver.answer = () => 500
  await service.call('PATCH', `/v1/agents/${agent.id}`, { key, body: { name: 'Renamed' } })
  await service.drain()
  const waiting = receiver.received.at(-1)!.deliveryId
  receiver.answer = () => 500
  const chosen = async (body: object) => {
    const before = receiver.received.length
    const { matched } = (await replay(body)).body
    await service.drain()
    const ids = idsOf(receiver.received.slice(before))
    assert.equal(matched, ids.length)
    return ids
  }
  assert.deepEqual(await chosen({ only: 'undelivered', types: ['agent.updated'] }), [waiting])
  assert.deepEqual(await chosen({ only: 'undelivered' }), [failed, waiting].toSorted())
  assert.deepEqual(await chosen({}), [failed])
  assert.deepEqual(await chosen({ only: 'all', types: ['agent.created'] }), [failed, delivered, other].toSorted())
  assert.deepEqual(await chosen({ only: 'failed', types: ['event.created'] }), [])
})

test('what the webhook never got is sent too, as new deliveries that are charged: off, made later, filtered', async ({
  service,
  house,
}) => {
  const { receiver, key, webhook, patch, replay, read, history } = house
  const used = async () => (await service.call('GET', '/v1/usage', { key })).body.webhooks.used
  await makeAgent(service, key, { name: 'Before it was on' })
  await service.drain()
  await patch({ active: false })
  const missed = await makeAgent(service, key, { name: 'Off' })
  await patch({ active: true })
  const calendar = await makeCalendar(service, key, missed.id)
  await makeEvent(service, key, calendar.id)
  await makeEvent(service, key, (await makeCalendar(service, key)).id)
  await patch({ events: ['agent.created', 'event.created'], agent_ids: [missed.id] })
  await service.drain()
  const [before, charged] = [receiver.received.length, await used()]
  const { body } = await replay({ include_missed: true })
  assert.equal(body.matched, 2)
  await service.drain()
  const sent = receiver.received.slice(before)
  assert.deepEqual(
    sent.map(({ type }) => type),
    ['agent.created', 'event.created'],
  )
  assert.deepEqual(sent[0]!.payload, { agent: missed })
  assert.equal(sent[1]!.payload.calendar_id, calendar.id)
  assert.equal((await read(body.id)).status, 'done')
  assert.equal(await used(), charged + 2)
  assert.deepEqual((await history()).stats, { pending: 0, delivered: 3, failed: 0 })
  // They are there now.
  assert.equal((await replay({ include_missed: true })).body.matched, 0)
  const later = await makeWebhook(service, key, `${receiver.url}/later`, ['agent.created'])
  const path = `/v1/webhooks/${later.id}/replay`
  const ofLater = await service.call('POST', path, { key, body: { from: house.from, include_missed: true } })
  assert.equal(ofLater.body.matched, 2)
  await service.drain()
  assert.equal(receiver.received.filter(({ path: at }) => at.endsWith('/later')).length, 2)
  assert.notEqual(webhook.id, later.id)
})

test('what was missed is sent for as long as the plan shows changes', async ({ service, newReceiver }) => {
  const receiver = await newReceiver()
  const { key } = await makeOrganization(service, { plan: 'free' })
  const from = service.clock.now().toISOString()
  await makeAgent(service, key)
  await service.clock.advance(dayMs)
  await makeAgent(service, key)
  await service.clock.advance(2 * dayMs + minuteMs)
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  const body = { from, include_missed: true }
  const { body: replay } = await service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { key, body })
  assert.equal(replay.matched, 1)
})

test('events of one change are replayed in their order', async ({ service, newReceiver, house }) => {
  const { key } = house
  const receiver = await newReceiver()
  const webhook = await makeWebhook(service, key, receiver.url, ['event.hold_expired', 'event.hold_created'])
  const calendar = await makeCalendar(service, key)
  for (let priority = 0; priority < 5; priority++)
    await makeHold(service, key, calendar.id, { hold_priority: priority })
  await service.drain()
  const first = receiver.received.length
  const order = ['event.hold_created', ...Array(4).fill(['event.hold_expired', 'event.hold_created']).flat()]
  const changeOf = new Map<string, string>(
    (
      await service.app.sql<{ id: Uuid; changeId: Uuid }[]>`
        select id, change_id from webhook_deliveries where subscription_id = ${decodeId('whk', webhook.id)!}`
    ).map(({ id, changeId }) => [id, changeId]),
  )
  const body = { from: house.from, only: 'all' }
  let failing = true
  receiver.answer = ({ type }) => (type === 'event.hold_expired' && failing ? 500 : 200)
  const { body: replay } = await service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { key, body })
  assert.equal(replay.matched, 9)
  await service.drain()
  failing = false
  const byChange = Map.groupBy(receiver.received.slice(first), ({ deliveryId }) =>
    changeOf.get(decodeId('whd', deliveryId)!),
  )
  assert.equal(byChange.size, 5)
  for (const sent of byChange.values())
    assert.deepEqual(
      sent.map(({ type }) => type),
      sent.length === 1 ? ['event.hold_created'] : ['event.hold_expired', 'event.hold_created'],
    )
  assert.equal(receiver.received.length - first, order.length)
})

test('one at a time; the next one may follow when it is done', async ({ service, house }) => {
  const { send, replay, key, path } = house
  await send(500)
  const answers = await Promise.all([replay(), replay(), replay()])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 409, 409])
  assertRefused(await replay({ only: 'all' }), 409, 'conflict')
  await service.drain()
  assert.equal((await replay()).status, 202)
  assertRefused(await service.call('GET', `${path}/replays/rpl_1`, { key }), 404, 'not_found')
})

test('while the webhook is off they wait for it; when it is removed the replay ends', async ({ service, house }) => {
  const { receiver, send, patch, replay, read, history, key, path } = house
  await send(500, 2)
  await patch({ active: false })
  const before = receiver.received.length
  const { id } = (await replay()).body
  await service.drain()
  assert.deepEqual([(await read(id)).status, receiver.received.length], ['done', before])
  assert.deepEqual((await history()).stats, { pending: 2, delivered: 0, failed: 0 })
  await patch({ active: true })
  await service.drain()
  assert.equal(receiver.received.length, before + 2)
  await replay({ only: 'all' })
  await service.call('DELETE', path, { key })
  await service.drain()
  assert.equal(receiver.received.length, before + 2)
  assert.deepEqual(await replaysDue.due(service.app, service.clock.now()), [])
})

test('a worker that dies in the middle leaves the rest to another one; each is sent once', async ({
  service,
  house,
}) => {
  const { receiver, orgId, webhook, replay, read } = house
  const count = 700
  const [org, subscription] = [decodeId('org', orgId)!, decodeId('whk', webhook.id)!]
  await house.send(500)
  await service.app.sql`
    insert into webhook_deliveries
    select (jsonb_populate_record(null::webhook_deliveries, to_jsonb(d) || jsonb_build_object('id', uuidv7(), 'attempt_log_sealed', null))).*
    from (select * from webhook_deliveries where org_id = ${org}) d, generate_series(2, ${count}::integer)`
  await service.app.sql`
    update webhook_delivery_counts set failed = ${count} where org_id = ${org} and subscription_id = ${subscription}`
  const before = receiver.received.length
  const { body } = await replay()
  assert.equal(body.matched, count)
  // It loses its connection to Postgres in the middle of the walk, and does nothing more.
  const dying = await openProcess(service)
  const walking = walkReplay(dying.app, { orgId: org, id: decodeId('rpl', body.id)! }).catch(() => 'died')
  for (;;) {
    const { progress } = await read(body.id)
    if (progress > 0) break
  }
  await dying.close()
  await walking
  for (let round = 0; round < 10 && (await read(body.id)).status !== 'done'; round++) {
    await service.drain()
    await service.clock.advance(1_000)
  }
  await service.drain()
  assert.deepEqual([(await read(body.id)).status, (await read(body.id)).progress], ['done', count])
  const sent = idsOf(receiver.received.slice(before))
  assert.deepEqual([sent.length, new Set(sent).size], [count, count])
  assert.deepEqual((await house.history()).stats, { pending: 0, delivered: count, failed: 0 })
})

test('a window that is too wide or too full is refused, and so is what is not as specified', async ({
  service,
  house,
}) => {
  const { key, orgId, webhook, replay, send } = house
  await send(500)
  const now = service.clock.now().getTime()
  const at = (ms: number) => new Date(now + ms).toISOString()
  assertRefused(await replay({ from: at(-30 * dayMs - 1) }), 400, 'bad_request', { param: 'from' })
  assertRefused(await replay({ from: at(-60 * dayMs), to: at(-29 * dayMs) }), 400, 'bad_request', { param: 'from' })
  assertRefused(await replay({ from: at(1) }), 400, 'validation_error', { param: 'from' })
  assertRefused(await replay({ from: at(-5), to: at(-6) }), 400, 'validation_error', { param: 'from' })
  assertRefused(await replay({ from: 'yesterday' }), 400, 'validation_error', {
    param: 'from',
    code: 'invalid_time_format',
  })
  assertRefused(await replay({ from: undefined }), 400, 'validation_error', { param: 'from' })
  assertRefused(await replay({ only: 'delivered' }), 400, 'validation_error', { param: 'only' })
  assertRefused(await replay({ include_missed: 'true' }), 400, 'validation_error', { param: 'include_missed' })
  assertRefused(await replay({ until: at(0) }), 400, 'validation_error', { param: 'until' })
  const types = await replay({ types: ['event.moved'] })
  assert.deepEqual([types.status, types.body.error.type], [400, 'validation_error'])
  const body = { from: house.from }
  assertRefused(await service.call('POST', `/v1/webhooks/${unknownWebhook}/replay`, { key, body }), 404, 'not_found')
  const org = decodeId('org', orgId)!
  await service.app.sql`
    insert into webhook_deliveries
    select (jsonb_populate_record(null::webhook_deliveries, to_jsonb(d) || jsonb_build_object('id', uuidv7(), 'attempt_log_sealed', null))).*
    from (select * from webhook_deliveries where org_id = ${org}) d, generate_series(2, 10001)`
  assertRefused(await replay(), 400, 'bad_request', { param: 'from' })
  await service.app.sql`
    delete from webhook_deliveries
    where org_id = ${org} and id = (select id from webhook_deliveries where org_id = ${org} limit 1)`
  const full = await replay()
  assert.deepEqual([full.status, full.body.matched], [202, 10_000])
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  await service.app.sql`delete from webhook_deliveries where org_id = ${org}`
})

test('a replay under way stands still while its organization is stopped, and then goes on', async ({
  service,
  house,
}) => {
  const { receiver, send, replay, read, history, orgId, key } = house
  await send(500, 3)
  const { id } = (await replay()).body
  const stop = (is_waitlisted: boolean) =>
    service.call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { is_waitlisted } })
  await stop(true)
  const before = receiver.received.length
  await service.drain()
  await service.clock.advance(10 * minuteMs)
  await service.drain()
  assert.equal(receiver.received.length, before)
  await stop(false)
  assert.deepEqual([(await read(id)).status, (await read(id)).progress], ['pending', 0])
  await service.clock.advance(minuteMs)
  await service.drain()
  assert.deepEqual(
    [(await read(id)).status, (await history()).stats],
    ['done', { pending: 0, delivered: 3, failed: 0 }],
  )
  assert.equal((await service.call('GET', '/v1/agents', { key })).status, 200)
})

test('a replay is kept for 30 days', async ({ service, house }) => {
  const { replay, read } = house
  const { id } = (await replay()).body
  assert.equal((await read(id)).status, 'done')
  await service.clock.advance(30 * dayMs + 1)
  await upkeepHandlers(service.app).purge({ hour: 0 })
  assert.equal((await read(id)).error.type, 'not_found')
})

test('the replays of an organization match a hundred thousand deliveries a day, whichever webhook they are of', async ({
  service,
  house,
}) => {
  const { send, replay, orgId, webhook } = house
  await send(500, 2)
  const first = (await replay()).body
  assert.equal(first.matched, 2)
  await service.drain()
  await service.app.sql`
    update webhook_replays set matched = 99_998, progress = 99_998
    where org_id = ${decodeId('org', orgId)!} and subscription_id = ${decodeId('whk', webhook.id)!}`
  assert.equal((await replay({ only: 'all' })).body.matched, 2)
  await service.drain()
  await service.clock.advance(60 * minuteMs)
  const refused = await replay({ only: 'all' })
  assertRefused(refused, 429, 'rate_limit_error')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 22 * 3_600 && wait <= 23 * 3_600, String(wait))
  assert.equal((await replay()).body.matched, 0, 'what matches nothing sends nothing')
  await service.clock.advance(wait * 1_000)
  assert.equal((await replay({ only: 'all' })).status, 202)
})
