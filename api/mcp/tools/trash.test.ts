// Deleted events and the history of an event, as tools.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const query = '?profile=scheduling,meetings'
const test = serviceTest()

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

test('a model finds what it deleted, brings it back and sees what was changed', async ({ service }) => {
  await service.clock.set('2026-11-29T13:03:00Z')
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin' })
  const agentKey = await makeAgentKey(service, key, agent.id)
  const call = (tool: string, args: object) => callMcp(service, tool, args as Any, { key: agentKey, query })
  const ask = async (tool: string, args: object): Promise<Any> => {
    const result = await call(tool, args)
    assert.ok(!result.isError, JSON.stringify(result))
    return result.structuredContent
  }
  const weekly = { start_time: '2026-12-01T09:00', recurrence_rule: 'FREQ=WEEKLY;COUNT=3' }
  const { event } = await ask('create_event', { calendar_id: calendar.id, title: 'Planning', ...weekly })
  const event_id = event.id
  const second = '2026-12-08T09:00'
  await ask('cancel_event', { event_id, occurrence_start: second })
  await ask('update_event', { event_id, description: 'x'.repeat(9_000) })
  const back = await ask('restore_event', { event_id, occurrence_start: second })
  assert.equal(back.event.id, event_id)
  await ask('cancel_event', { event_id, whole_series: true })
  const { events, total } = await ask('list_deleted_events', {})
  assert.deepEqual(
    [total, events[0].id, events[0].deleted_at, events[0].restorable_until],
    [1, event_id, '2026-11-29T14:03:00+01:00', '2026-12-29T14:03:00+01:00'],
  )
  const args = { event_id, require_free: true, idempotency_key: 'back' }
  const restored = await ask('restore_event', args)
  assert.deepEqual([restored.event.title, restored.event.start], ['Planning', '2026-12-01T09:00:00+01:00'])
  assert.deepEqual(await ask('restore_event', args), { ...restored, replayed: true })
  const error = mcpError(await call('restore_event', { event_id }))
  assert.deepEqual([error.code, error.next_step], ['not_deleted', 'The event is there: read it with get_event.'])
  const history = await ask('get_event_history', { event_id })
  assert.deepEqual(
    history.changes.map(({ type, changes }: Any) => [type, (changes ?? []).map(({ field }: Any) => field)]),
    [
      ['event.created', []],
      ['event.deleted', []],
      ['event.updated', ['recurrenceExdates']],
      ['event.updated', ['description']],
      ['event.updated', ['recurrenceExdates']],
      ['event.created', []],
    ],
  )
  const [{ from, to }] = history.changes[3].changes
  assert.deepEqual([from, to.length], [undefined, 2_001])
  assert.equal(history.changes[0].at, '2026-11-29T14:03:00+01:00')
  assert.equal(history.changes[0].actor.agent_id, agent.id)
})
