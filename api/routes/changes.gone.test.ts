import assert from 'node:assert/strict'
import { openCursor, sealCursor } from '../../src/changeFeed/cursor.ts'
import { declareRestored } from '../../src/changeFeed/restored.ts'
import type { Snapshot } from '../../src/changeFeed/snapshot.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { openEventStream } from '../../src/testing/eventStream.ts'
import { makeAgent, makeOrganization } from '../../src/testing/factories.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { untilWaiting } from '../../src/testing/waits.ts'

const test = serviceTest({ plan: 'pro' })

const lists = ['/v1/agents', '/v1/calendars?include=all', '/v1/calendars/{id}/events']

for (const { plan, limits, days } of [
  { plan: 'free', days: 3 },
  { plan: 'pro', days: 30 },
  { plan: 'custom', days: 30 },
  { plan: 'custom', limits: { changes_retention_days: 7 }, days: 7 },
] as const) {
  test(`a cursor of ${plan} ${JSON.stringify(limits ?? {})} lives for ${days} days`, async ({ service }) => {
    const { key } = await makeOrganization(service, { plan, ...(limits && { limits }) })
    const read = (cursor: string) => service.call('GET', `/v1/changes?cursor=${cursor}`, { key })
    const { body } = await service.call('GET', '/v1/changes', { key })
    assert.equal(body.kept_since, new Date(service.clock.now().getTime() - days * dayMs).toISOString())
    await service.clock.advance(days * dayMs)
    assert.equal((await read(body.cursor)).status, 200)
    await service.clock.advance(1)
    await makeAgent(service, key)
    const gone = await read(body.cursor)
    assert.equal(gone.status, 410)
    const { type, param, reason, resync, message, request_id, ...more } = gone.body.error
    assert.deepEqual([type, param, reason, resync.lists, more], ['cursor_gone', 'cursor', 'too_old', lists, {}])
    assert.equal(request_id, gone.headers.get('x-request-id'))
    assert.ok(message)
    // Changes after the answer come after its cursor.
    assert.deepEqual((await read(resync.cursor)).body.data, [])
    const stream = await service.call('GET', `/v1/changes/stream?cursor=${body.cursor}`, { key })
    assert.deepEqual([stream.status, stream.body.error.reason], [410, 'too_old'])
  })
}

test('after a restore every older cursor is gone, and its reader begins anew', async ({ service, key }) => {
  const { cursor } = (await service.call('GET', '/v1/changes', { key })).body
  const stream = await openEventStream(`${service.baseUrl}/v1/changes/stream`, { authorization: `Bearer ${key}` })
  await stream.next()
  const waiting = service.call('GET', `/v1/changes?wait=55&cursor=${cursor}`, { key })
  await untilWaiting(service.app, 2)
  await declareRestored(service.app)
  const answers = [await service.call('GET', `/v1/changes?cursor=${cursor}`, { key }), await waiting]
  const told = await stream.next()
  assert.ok(told && 'event' in told && told.event === 'gone')
  assert.equal(await stream.next(), undefined)
  for (const body of [...answers.map((answer) => answer.body), told.data]) {
    assert.deepEqual([body.error.type, body.error.reason], ['cursor_gone', 'restored'])
    assert.deepEqual(body.error.resync.lists, lists)
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    [410, 410],
  )
  await makeAgent(service, key)
  const { cursor: next } = answers[0]!.body.error.resync
  const { body } = await service.call('GET', `/v1/changes?cursor=${next}`, { key })
  assert.equal(body.data.length, 1)
})

test('a cursor of a later history, as after a restored copy, is gone', async ({ service, key, organization }) => {
  const orgId = decodeId('org', organization.id)!
  const { cursor } = (await service.call('GET', '/v1/changes', { key })).body
  const position = openCursor(service.app, orgId, cursor)!
  const [, xmax] = position.base.split(':')
  const later = `${Number(xmax) + 1_000}:${Number(xmax) + 1_000}:` as Snapshot
  const sealed = sealCursor(service.app, orgId, { ...position, base: later })
  const gone = await service.call('GET', `/v1/changes?cursor=${sealed}`, { key })
  assert.deepEqual([gone.status, gone.body.error.reason], [410, 'restored'])
})

test('entries that come with a dump are read after a restore', async ({ service }) => {
  const { key } = await makeOrganization(service)
  await makeAgent(service, key)
  // Their transactions are of another cluster, which had made more of them.
  await service.app.sql`update changes set xid = '900000000000'`
  const oldest = async () => (await service.call('GET', '/v1/changes?cursor=oldest', { key })).body.data.length
  assert.equal(await oldest(), 0)
  await declareRestored(service.app)
  assert.equal(await oldest(), 1)
})

test('a reader goes on after a promotion that lost nothing, and begins anew after one that may have', async ({
  service,
  key,
  organization,
}) => {
  const { sql } = service.app
  const orgId = decodeId('org', organization.id)!
  const { cursor } = (await service.call('GET', '/v1/changes', { key })).body
  const position = openCursor(service.app, orgId, cursor)!
  // As if this server had been promoted: its time line follows another one.
  const [before] = await sql`
    insert into feed_timelines (system_identifier, timeline)
    select system_identifier, '00000000' from feed_timelines
    returning id`
  const [incarnation, , cluster] = position.database.split('/')
  const database = `${incarnation}/00000000/${cluster}/${before!.id}`
  const read = (sent: typeof position, query = '') =>
    service.call('GET', `/v1/changes?cursor=${sealCursor(service.app, orgId, sent)}${query}`, { key })
  const leave = (at: string) => sql`update feed_timelines set left_at = ${at} where timeline = '00000001'`
  await leave(position.wal!)
  const waiting = read({ ...position, database }, '&wait=55')
  await untilWaiting(service.app, 1)
  await makeAgent(service, key)
  for (const { status, body } of [await waiting, await read({ ...position, database })]) {
    assert.deepEqual([status, body.data.map(({ type }: { type: string }) => type)], [200, ['agent.created']])
    assert.deepEqual((await service.call('GET', `/v1/changes?cursor=${body.cursor}`, { key })).body.data, [])
  }
  await leave('0/1')
  const gone = await read({ ...position, database })
  assert.deepEqual([gone.status, gone.body.error.reason], [410, 'restored'])
  // A cursor of an older release is of the same history, and of no other.
  const { wal, ...older } = position
  const statuses = ['00000001', '00000000'].map((timeline) =>
    read({ ...older, database: `${incarnation}/${timeline}/${cluster}` }).then(({ status }) => status),
  )
  assert.deepEqual(await Promise.all(statuses), [200, 410])
})
