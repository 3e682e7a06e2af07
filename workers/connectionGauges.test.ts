// The metrics of calendars of humans, as their reads go well, fail and stop.
import assert from 'node:assert/strict'
import { channelCounts, connectionCounts, stalestSeconds } from '../src/connections/metrics.ts'
import { decodeId, newId } from '../src/shapes/ids.ts'
import { connectionTest } from '../src/testing/connections.ts'
import { setConnectionZeros, showConnections } from './connectionGauges.ts'

const test = connectionTest()
const minuteMs = 60_000

test('a connection counts by its provider and status, its calendar by what the copy is worth', async ({
  service,
  desk,
}) => {
  const { app } = service
  setConnectionZeros(app)
  const { connection } = await desk.granted()
  await showConnections(app)
  const valuesOf = async (name: 'connections' | 'externalCalendars') =>
    (await app.metrics[name].get()).values.flatMap(({ labels, value }) =>
      value === 0 ? [] : [[...Object.values(labels), value]],
    )
  assert.deepEqual(await valuesOf('connections'), [['caldav', 'active', 1]])
  assert.deepEqual(await valuesOf('externalCalendars'), [['current', 1]])
  await desk.ok('POST', `/v1/calendar-connections/${connection.id}/pause`)
  await service.clock.advance(30 * minuteMs)
  await showConnections(app)
  assert.deepEqual(await valuesOf('connections'), [['caldav', 'paused', 1]])
  assert.deepEqual(await valuesOf('externalCalendars'), [['stale', 1]])
  // It waits for its human.
  assert.equal(await stalestSeconds(app), 0)
  await desk.ok('DELETE', `/v1/calendar-connections/${connection.id}`, undefined, 204)
  assert.equal((await connectionCounts(app)).length, 0)
})

test('channels are live, late or ended', async ({ service, desk }) => {
  const { app } = service
  await desk.granted()
  const channel = (renewIn: number, expiresIn: number) => app.sql`
    insert into connection_channels (
      org_id, id, connection_id, external_calendar_id, token_digest, resource_sealed, renew_at, expires_at, created_at)
    select org_id, ${newId()}, id, ${newId()}, '', '', app_now() + ${renewIn} * interval '1 hour',
      app_now() + ${expiresIn} * interval '1 hour', app_now()
    from calendar_connections where org_id = ${decodeId('org', desk.orgId)!}`
  await Promise.all([channel(1, 2), channel(1, 2), channel(-1, 1), channel(-2, -1)])
  const counts = (await channelCounts(app)).map(({ state, count }) => [state, count])
  assert.deepEqual(counts.sort(), [
    ['ended', 1],
    ['late', 1],
    ['live', 2],
  ])
})

test('a copy ages until it is read, and a read counts by its outcome', async ({ service, desk, caldav }) => {
  const { app } = service
  await desk.granted()
  const countOf = async (name: 'externalReads' | 'providerRequests', outcome: string) =>
    (await app.metrics[name].get()).values.find(
      ({ labels }) => labels.provider === 'caldav' && labels.outcome === outcome,
    )?.value ?? 0
  const readsOf = (outcome: string) => countOf('externalReads', outcome)
  const requestsOf = (outcome: string) => countOf('providerRequests', outcome)
  assert.ok((await readsOf('read')) > 0)
  assert.ok((await requestsOf('ok')) > 0)
  await service.clock.advance(40 * minuteMs)
  const seconds = await stalestSeconds(app)
  assert.ok(seconds >= 40 * 60 && seconds < 42 * 60, String(seconds))
  await service.drain()
  assert.ok((await stalestSeconds(app)) < 60)
  const lags = (await app.metrics.externalReadLag.get()).values
  const polled = lags.find((one) => one.metricName?.endsWith('_sum') && one.labels.by === 'poll')
  assert.ok(polled!.value > 30 * 60, JSON.stringify(polled))
  const before = await requestsOf('unreachable')
  await caldav.close()
  await service.clock.advance(10 * minuteMs)
  await service.drain()
  assert.ok((await readsOf('unreachable')) > 0)
  assert.ok((await requestsOf('unreachable')) > before)
  // A failing provider is not our fault.
  await service.app.sql`update calendar_connections set next_read_at = app_now() + interval '1 hour'`
  assert.equal(await stalestSeconds(app), 0)
  // Without a copy that is current nothing is offered, which is counted.
  await service.clock.advance(30 * minuteMs)
  const start = service.clock.now()
  const query = new URLSearchParams({
    start: start.toISOString(),
    end: new Date(start.getTime() + 60 * minuteMs).toISOString(),
  })
  const answer = await service.call('GET', `/v1/agents/${desk.agent.id}/availability?${query}`, { key: desk.key })
  assert.equal(answer.body.availability_state, 'stale', JSON.stringify(answer.body))
  const { values } = await app.metrics.availabilityClosed.get()
  assert.equal(values.find((one) => one.labels.state === 'stale')?.value, 1)
})
