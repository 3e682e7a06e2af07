// Links and the calendars of humans in the change feed and in webhooks: for the organization, and for the calendar's agent.
import assert from 'node:assert/strict'
import { connectionTest } from '../../src/testing/connections.ts'
import { makeAgent, makeAgentKey } from '../../src/testing/factories.ts'

const test = connectionTest().extend('told', async ({ service, desk }) => {
  const agentKey = await makeAgentKey(service, desk.key, desk.agent.id)
  const strangers = await makeAgentKey(service, desk.key, (await makeAgent(service, desk.key)).id)
  const types =
    'connection_link.completed,connection_link.ended,availability_source.interrupted,availability_source.restored'
  const entriesOf = async (key: string) =>
    (await service.call('GET', `/v1/changes?cursor=oldest&types=${types}`, { key })).body.data as Entry[]
  const short = ({ type, payload }: Entry) => `${type} ${JSON.stringify(payload)}`
  /** The agent of the calendar reads the same, and no other agent reads any. */
  async function told() {
    const [all, own] = [await entriesOf(desk.key), await entriesOf(agentKey)]
    assert.deepEqual(own, all)
    assert.deepEqual(await entriesOf(strangers), [])
    return all.map(short)
  }
  const link = async (body: object = {}) =>
    (await service.call('POST', `/v1/calendars/${desk.calendar.id}/connection-links`, { key: desk.key, body })).body
  const ended = (id: string, status: string) =>
    `connection_link.${status === 'completed' ? status : 'ended'} ${JSON.stringify({
      connection_link: { id, calendar_id: desk.calendar.id, status },
    })}`
  const source = (what: string) => `availability_source.${what} ${JSON.stringify({ agent_id: desk.agent.id })}`
  return { told, link, ended, source, entriesOf }
})

// biome-ignore lint/suspicious/noExplicitAny: a payload is looked into field by field
type Entry = { id: string; type: string; resource: object; payload: any }

test('how a link ends is told once: it is completed, replaced, cancelled or runs out', async ({
  service,
  desk,
  told: { told, link, ended, entriesOf },
}) => {
  const done = await link()
  const { body } = await desk.connect({ setup_link_id: done.id })
  await desk.ok('POST', `/connect/links/${done.id}`, { external_calendar_ids: [body.calendars[0].id] })
  const { id: _, ...entry } = (await entriesOf(desk.key)).at(-1)!
  assert.deepEqual(
    [entry.type, entry.resource],
    ['connection_link.completed', { type: 'connection_link', id: done.id }],
  )
  const first = await link()
  const second = await link({ capabilities: ['availability', 'publishing'], publication_policy: 'confirmed' })
  for (let n = 0; n < 2; n++) await service.call('DELETE', `/v1/connection-links/${second.id}`, { key: desk.key })
  const third = await link()
  await service.clock.advance(24 * 3_600_000 - 1)
  await service.drain()
  const expected = [ended(done.id, 'completed'), ended(first.id, 'cancelled'), ended(second.id, 'cancelled')]
  assert.deepEqual(await told(), expected)
  await service.clock.advance(1)
  for (let n = 0; n < 2; n++) await service.drain()
  assert.deepEqual(await told(), [...expected, ended(third.id, 'expired')])
  // Neither the account nor its name.
  assert.doesNotMatch(JSON.stringify(await entriesOf(desk.key)), /ada|caldav|Personal/)
})

test('each agent with a grant hears when the calendars are lost and found: by a pause, a refusal, an end', async ({
  service,
  caldav,
  desk,
  told: { told, source },
}) => {
  const { connection } = await desk.granted()
  const path = `/v1/calendar-connections/${connection.id}`
  for (const verb of ['pause', 'pause', 'resume', 'resume']) await desk.ok('POST', `${path}/${verb}`)
  const expected = [source('interrupted'), source('restored')]
  assert.deepEqual(await told(), expected)
  caldav.password = 'another'
  for (const minutes of [6, 6, 6]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  assert.equal((await desk.read(connection.id)).status, 'reauthorization_required')
  await desk.ok('POST', `${path}/reauthorize`, { password: 'another' })
  await desk.ok('POST', `${path}/reauthorize`, { password: 'another' })
  await desk.ok('DELETE', path, undefined, 204)
  assert.deepEqual(await told(), [...expected, ...expected, source('interrupted')])
})
