// The work of hosts, with the clients that they are built on: list everything, call every tool, read every resource, get every
// prompt. The bridge is held to the same.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeEvent, makeOrganization } from '../../../src/testing/factories.ts'
import type { TestService } from '../../../src/testing/harness.ts'
import { type AnyClient, clientKinds, openClient } from '../../../src/testing/mcp/mcpClients.ts'
import { tourOf } from '../../../src/testing/mcp/mcpTour.ts'
import { serviceTest } from '../../../src/testing/test.ts'
import { allTools, toolNamed } from '../tools/toolTable.ts'

const test = serviceTest()

const day = '2026-03-10'

async function takeTour(client: AnyClient, ids: Record<string, string>) {
  const { tools } = await client.listTools()
  const names = tools.map(({ name }: { name: string }) => name)
  assert.deepEqual(
    names,
    allTools.map(({ name }) => name),
  )
  const resolved = new Set<string>()
  for (const { tool, arguments: args, keep } of tourOf(day).filter(({ tool }) => names.includes(tool))) {
    const sent = args(ids)
    const result = await client.callTool({ name: tool, arguments: sent })
    assert.ok(!result.isError, `${tool} ${JSON.stringify(sent)} ${result.content[0].text}`)
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
    Object.assign(ids, keep?.(result.structuredContent))
    resolved.add(tool)
    const refused = await client.callTool({ name: tool, arguments: { no_such_argument: 1 } })
    assert.equal(refused.isError, true, tool)
    assert.equal(refused.structuredContent, undefined)
    assert.equal(JSON.parse(refused.content[0].text).error.type, 'validation_error')
  }
  assert.deepEqual([...resolved].toSorted(), names.toSorted(), 'the tour visits every tool')
}

async function readEverything(client: AnyClient, calendarId: string, agentId: string) {
  const { resources } = await client.listResources()
  assert.ok(resources.some(({ uri }: { uri: string }) => uri.includes(calendarId)))
  for (const { uri, mimeType } of resources) {
    const { contents } = await client.readResource({ uri })
    assert.deepEqual([contents[0].uri, contents[0].mimeType], [uri, mimeType])
    assert.ok(contents[0].text.length > 0)
  }
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.equal(resourceTemplates.length, 2)
  for (const date of toolNamed('list_events') ? ['today', day] : []) {
    const { contents } = await client.readResource({ uri: `agent-calendar://calendars/${calendarId}/days/${date}` })
    assert.match(contents[0].text, /^# 2026-03-/)
  }
  await assert.rejects(client.readResource({ uri: 'agent-calendar://calendars/cal_none/context' }), { code: -32602 })
  const { prompts } = await client.listPrompts()
  const given: Record<string, string> = {
    ...{ title: 'Review', start_time: `${day}T10:00`, duration: '30m', organizer_agent_id: agentId },
    ...{ agent_ids: agentId, participant_agent_ids: agentId },
  }
  for (const prompt of prompts) {
    const needed = prompt.arguments.filter(({ required }: { required?: true }) => required)
    const args = Object.fromEntries(needed.map(({ name }: { name: string }) => [name, given[name]!]))
    const { messages } = await client.getPrompt({ name: prompt.name, arguments: args })
    assert.equal(messages.length, 1)
    assert.match(messages[0].content.text, /^Now: /)
  }
  await assert.rejects(client.getPrompt({ name: 'none', arguments: {} }), { code: -32602 })
}

async function useEverything(service: TestService, kind: (typeof clientKinds)[number], viaBridge: boolean) {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key, { name: 'Ada' })
  const calendar = await makeCalendar(service, key, agent.id, { name: 'Days', timezone: 'Europe/Berlin' })
  const event = await makeEvent(service, key, calendar.id)
  const client = await openClient(
    kind,
    { url: `${service.baseUrl}/mcp?profile=full,coordination,meetings`, key },
    viaBridge,
  )
  try {
    await readEverything(client, calendar.id, agent.id)
    const ref = { type: 'ref/prompt', name: 'schedule_event' }
    const { completion } = await client.complete({ ref, argument: { name: 'calendar_id', value: 'day' } })
    assert.deepEqual(completion.values, [calendar.id])
    await takeTour(client, { agent: agent.id, peer: agent.id, calendar: calendar.id, event: event.id })
  } finally {
    await client.close()
  }
}

for (const kind of clientKinds) {
  test(`the client ${kind} uses everything`, ({ service }) => useEverything(service, kind, false))
  test(`the client ${kind} uses everything through the bridge`, ({ service }) => useEverything(service, kind, true))
}
