// The profile `meetings`: fields of an event that other addresses do not know.
import assert from 'node:assert/strict'
import { everyDetail } from '../../../src/testing/details.ts'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { askMcp, callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { perFile, serviceTest } from '../../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const test = serviceTest({ plan: 'custom' }).extend('calendar', perFile, async ({ service, key }): Promise<Any> => {
  const agent = await makeAgent(service, key)
  return makeCalendar(service, key, agent.id)
})

const bytesOf = (tools: readonly object[]) => Buffer.byteLength(JSON.stringify(tools))

test('only with the profile the tools of events list and take the fields, within its bytes', async ({
  service,
  key,
  calendar,
}) => {
  const list = async (query: string): Promise<Any[]> =>
    (await askMcp(service, 'tools/list', {}, { key, query })).body.result.tools
  const argumentsOf = (tools: Any[], name: string) =>
    Object.keys(tools.find((tool) => tool.name === name).inputSchema.properties)
  const [plain, both] = [await list('?profile=scheduling'), await list('?profile=scheduling,meetings')]
  assert.ok(bytesOf(await list('?profile=meetings')) <= 5_000)
  assert.ok(bytesOf(both) <= bytesOf(plain) + 8_500, `${bytesOf(both)} bytes beside ${bytesOf(plain)}`)
  const names = Object.keys(everyDetail)
  for (const tool of ['create_event', 'update_event']) {
    assert.deepEqual(
      names.filter((name) => argumentsOf(both, tool).includes(name)),
      names,
    )
    assert.deepEqual(
      names.filter((name) => argumentsOf(plain, tool).includes(name)),
      [],
    )
  }
  assert.ok(argumentsOf(both, 'list_events').includes('label'))
  const sent = { calendar_id: calendar.id, title: 'A', start_time: '2026-03-05T10:00', location: 'Hall' }
  for (const query of ['', '?profile=full', '?tools=create_event'])
    assert.equal(mcpError(await callMcp(service, 'create_event', sent, { key, query })).param, 'location')
})

test('the fields are written, shown, found by label and by place, and cleared', async ({ service, key, calendar }) => {
  const query = '?profile=scheduling,meetings'
  const ask = async (tool: string, sent: object): Promise<Any> => {
    const result = await callMcp(service, tool, { ...sent }, { key, query })
    assert.ok(!result.isError, JSON.stringify(result))
    return result.structuredContent
  }
  const timed = { calendar_id: calendar.id, start_time: '2026-03-05T10:00' }
  const { transparency, ...busy } = everyDetail
  const { event } = await ask('create_event', { ...timed, title: 'One', ...everyDetail })
  assert.deepEqual(Object.fromEntries(Object.keys(everyDetail).map((name) => [name, event[name]])), everyDetail)
  // A transparent event is in nobody's way, and meets nothing.
  await ask('create_event', { ...timed, title: 'Two', ...busy, labels: ['solo'], location: 'Lobby' })
  assert.equal((await ask('create_event', { ...timed, title: 'Three', transparency })).warnings.length, 0)
  const listed = async (more: object) => {
    const window = { calendar_id: calendar.id, start: '2026-03-05', end: '2026-03-06' }
    return (await ask('list_events', { ...window, ...more })).events.map(({ title }: Any) => title)
  }
  assert.deepEqual(await listed({ label: 'solo' }), ['Two'])
  assert.deepEqual(await listed({ query: 'lobby' }), ['Two'])
  const { event: cleared } = await ask('update_event', { event_id: event.id, location: null, labels: [] })
  assert.deepEqual([cleared.location, cleared.labels, cleared.color], [undefined, undefined, everyDetail.color])
  const wrong = await callMcp(service, 'update_event', { event_id: event.id, color: 'Teal' }, { key, query })
  assert.equal(mcpError(wrong).param, 'color')
})
