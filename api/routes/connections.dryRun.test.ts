// The mutations of humans' calendars as dry runs.
import assert from 'node:assert/strict'
import { connectionTest } from '../../src/testing/connections.ts'
import { assertDryRun } from '../../src/testing/dryRuns.ts'
import { googleTest } from '../../src/testing/providers/googleConnections.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { remainsOf } from '../../src/testing/remains.ts'

const test = connectionTest()
const google = googleTest()
const at = '/v1/calendar-connections'

test('each changes nothing and tells what it does', async ({ service, desk }) => {
  const { token, key, calendar, agent, login } = desk
  const ask = (name: string, method: string, path: string, body?: object, by = token) =>
    assertDryRun(service, name, { method, path, key: by, ...(body && { body }) })
  const link = { capabilities: ['availability'], publication_policy: 'none' }
  const links = `/v1/calendars/${calendar.id}/connection-links`
  await ask('createConnectionLink', 'POST', links, link, key)
  await ask('createConnectionLink again', 'POST', links, link, key)
  const { body: pending } = await service.call('POST', links, { key, body: link })
  await ask('cancelConnectionLink', 'DELETE', `/v1/connection-links/${pending.id}`, undefined, key)
  await ask('connectCaldavAccount', 'POST', `${at}/caldav`, login)
  await ask('connectCaldavAccount again', 'POST', `${at}/caldav`, login)
  const [{ id }] = (await desk.ok('GET', at)).data
  const calendars = (await desk.read(id)).calendars.map((one: { id: string }) => one.id)
  await ask('updateCalendarConnection', 'PATCH', `${at}/${id}`, { selected_external_calendar_ids: calendars })
  await ask('reauthorizeCalendarConnection', 'POST', `${at}/${id}/reauthorize`, { password: login.password })
  const grant = {
    external_calendar_ids: [calendars[0]],
    audience: 'selected_agents',
    agent_ids: [agent.id],
  }
  await ask('createAvailabilityGrant', 'POST', '/v1/availability-grants', grant)
  const [granted] = (await desk.ok('GET', '/v1/availability-grants')).data
  await ask('updateAvailabilityGrant', 'PATCH', `/v1/availability-grants/${granted.id}`, { active: false })
  await ask('deleteAvailabilityGrant', 'DELETE', `/v1/availability-grants/${granted.id}`)
  const destination = `/v1/calendars/${calendar.id}/external-destination`
  await desk.ok('PATCH', `${at}/${id}`, { capabilities: ['availability', 'publishing'] })
  await ask('setExternalDestination', 'PUT', destination, { external_calendar_id: calendars[0] })
  await ask('deleteExternalDestination', 'DELETE', destination)
  await ask('pauseCalendarConnection', 'POST', `${at}/${id}/pause`)
  await ask('resumeCalendarConnection', 'POST', `${at}/${id}/resume`)
  const before = await remainsOf(service)
  const refreshed = await desk.session('POST', `${at}/${id}/refresh?dry_run=true`)
  assert.deepEqual([refreshed.status, refreshed.body.body], [200, { status: null, synced_calendars: null }])
  assert.deepEqual(await remainsOf(service), before)
  await ask('deleteCalendarConnection', 'DELETE', `${at}/${id}`)
  // No provider is configured here.
  const started = await desk.session('POST', `${at}/oauth/google/start?dry_run=true`, {})
  assertRefused(started, 404, 'not_found')
})

google('nobody is sent to a provider, and a way asked for twice is one', async ({ service, desk }) => {
  const { token } = desk
  const { id } = await desk.connected()
  const asked = [
    { path: `${at}/oauth/google/start`, body: { capabilities: ['publishing'] } },
    { path: `${at}/${id}/reauthorize`, body: { capabilities: ['publishing'] } },
  ]
  for (const { path, body } of asked) {
    await assertDryRun(service, path, { method: 'POST', path, key: token, body })
    const headers = { 'idempotency-key': path }
    const ask = () => service.call('POST', path, { key: token, body, headers })
    const [first, again] = [await ask(), await ask()]
    assert.equal(first.status, 200)
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(await desk.travel(first.body.authorization_url), '/connect')
    // It leads back once.
    assert.equal(await desk.travel(again.body.authorization_url), '/connect/failed?reason=expired')
  }
  assert.deepEqual((await desk.read(id)).capabilities, ['availability', 'publishing'])
})
