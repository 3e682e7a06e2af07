import assert from 'node:assert/strict'
import { ahead, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()

test('a refusal is counted once, by its code or else by its type: of a route, of a page, of a tool', async ({
  service,
  call,
  key,
}) => {
  const counts = async (): Promise<Record<string, number>> => {
    const { values } = await service.app.metrics.refusals.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]))
  }
  const calendar = await makeCalendar(service, key)
  const { id } = await makeEvent(service, key, calendar.id)
  const before = await counts()
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const create = (body: object) =>
    call('POST', `/v1/calendars/${calendar.id}/events`, { key, body: { title: 'New', ...times, ...body } })
  await create({ require_free: true })
  await create({ weekday: 'sunday' })
  await create({ title: '' })
  await call('PATCH', `/v1/events/${id}`, { key, body: { title: 'Other' }, headers: { 'if-match': '"other"' } })
  await call('GET', '/book/nobody-has-this-page', { headers: { accept: 'text/html' } })
  const tool = { name: 'get_event', arguments: { event_id: 'evt_none' } }
  await fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
  })
  const more = Object.entries(await counts()).filter(([reason, count]) => count !== before[reason])
  assert.deepEqual(Object.fromEntries(more.map(([reason, count]) => [reason, count - before[reason]!])), {
    not_free: 1,
    weekday_mismatch: 1,
    validation_error: 1,
    precondition_failed: 1,
    not_found: 1,
    event_not_found: 1,
  })
})
