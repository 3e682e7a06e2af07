// A text that Unicode writes in two ways is found by either, and shown as it was sent.
import assert from 'node:assert/strict'
import { ahead, makeAgent, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { askMcp, callMcp, mcpError } from '../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()

const [composed, decomposed] = ['Caf\u00e9 \u00c5ngstr\u00f6m', 'Cafe\u0301 A\u030angstro\u0308m']

for (const [stored, asked] of [
  [composed, decomposed],
  [decomposed, composed],
] as const) {
  test(`${[...stored].length} characters are found by ${[...asked].length}`, async ({ service, key, call }) => {
    const agent = await makeAgent(service, key, { name: `${stored} agent` })
    const calendar = await makeCalendar(service, key, agent.id, { name: `${stored} days` })
    const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
    const event = await makeEvent(service, key, calendar.id, { title: `At the ${stored}`, ...times })
    assert.equal(event.title, `At the ${stored}`)
    const ask = (name: string, args: Record<string, unknown>) =>
      callMcp(service, name, args, { key, query: '?profile=full,coordination,meetings' })
    const words = asked.toLowerCase()
    for (const query of [asked, words]) {
      const { events } = (await ask('list_events', { calendar_id: calendar.id, query })).structuredContent
      assert.deepEqual(
        events.map(({ title }: { title: string }) => title),
        [`At the ${stored}`],
      )
    }
    const meant = async (name: string, args: Record<string, unknown>) =>
      mcpError(await ask(name, args)).suggestions?.[0].arguments
    assert.deepEqual(await meant('get_event', { event_id: words }), { event_id: event.id })
    assert.deepEqual(await meant('get_calendar', { calendar_id: asked }), { calendar_id: calendar.id })
    assert.deepEqual(await meant('get_agent', { agent_id: asked }), { agent_id: agent.id })
    assert.deepEqual(await meant('find_meeting_time', { agents: [asked] }), { agents: [agent.id] })
    const ref = { type: 'ref/prompt', name: 'schedule_event' }
    const argument = { name: 'calendar_id', value: words }
    const { completion } = (await askMcp(service, 'completion/complete', { ref, argument }, { key })).body.result
    assert.deepEqual(completion.values, [calendar.id])
    await call('DELETE', `/v1/calendars/${calendar.id}`, { key })
    await call('DELETE', `/v1/agents/${agent.id}`, { key })
  })
}
