// One value where a list belongs is the list of it: every list of every tool, at any depth.
import assert from 'node:assert/strict'
import { ahead, makeAgent, makeCalendar } from '../../src/testing/factories.ts'
import { callMcp } from '../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { inType } from './language/aliases.ts'
import { jsonSchemaOf } from './language/jsonSchema.ts'
import { allTools } from './tools/toolTable.ts'

const test = serviceTest()

// biome-ignore lint/suspicious/noExplicitAny: schemas and answers are looked into key by key
type Any = any

const variantsOf = (schema: Any): Any[] => schema.anyOf ?? [schema]
const typesOf = (schema: Any): string[] => variantsOf(schema).flatMap(({ type }) => type)

/** A value of the schema with lists of one, or with that one in place of each list; undefined if it has no list. */
function sampleOf(schema: Any, isAlone: boolean): Any {
  const list = variantsOf(schema).find(({ type }) => [type].flat().includes('array'))
  // A day of the week is one stretch or several: one stays what it is.
  if (list && typesOf(schema).includes('object')) return undefined
  if (list) {
    const item = sampleOf(list.items, isAlone) ?? plainValue(list.items)
    return isAlone ? item : [item]
  }
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sampleOf(field, isAlone)])
  const further = schema.additionalProperties && sampleOf(schema.additionalProperties, isAlone)
  const lists = [...fields, ['mon', further]].filter(([, value]) => value !== undefined)
  return lists.length > 0 ? Object.fromEntries(lists) : undefined
}

function plainValue(schema: Any): unknown {
  const types = typesOf(schema)
  if (types.includes('object')) return {}
  return types.includes('integer') ? 10 : (schema.enum?.[0] ?? 'one')
}

for (const tool of allTools) {
  const { properties = {} } = jsonSchemaOf(tool.schema) as Any
  for (const [name, property] of Object.entries<Any>(properties)) {
    const list = sampleOf(property, false)
    if (list === undefined) continue
    test(`${tool.name} takes one value for a list in ${name}`, () => {
      assert.deepEqual(inType(sampleOf(property, true), property), list)
      assert.deepEqual(inType(JSON.stringify(list), property), list)
    })
  }
}

test('one value where a list belongs is stored as the list of it', async ({ service, key }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const ask = async (name: string, args: object) => {
    const result = await callMcp(service, name, args as Any, { key, query: '?profile=full,coordination,meetings' })
    assert.ok(!result.isError, `${name} ${result.content?.[0].text}`)
    return result.structuredContent
  }
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const { event } = await ask('create_event', { calendar_id: calendar.id, title: 'Call', ...times, reminders: 10 })
  assert.deepEqual(event.reminders, [10])
  const { slots } = await ask('find_meeting_time', { agents: agent.id, calendars: calendar.id })
  assert.ok(slots.length > 0)
  const asked = { organizer_agent_id: agent.id, participant_agent_ids: agent.id, calendar_id: calendar.id }
  const { proposal } = await ask('create_proposal', { title: 'Review', ...asked, slots: times })
  assert.deepEqual([proposal.participant_agent_ids, proposal.slots.length], [[agent.id], 1])
  const counter = { proposal_id: proposal.id, agent_id: agent.id, response: 'counter', counter_slots: times }
  assert.equal((await ask('respond_to_proposal', counter)).response.counter_slots.length, 1)
  const question = { name: 'size', label: 'How many?', kind: 'choice', options: 'One' }
  const { booking_page } = await ask('create_booking_page', {
    ...{ calendar_id: calendar.id, title: 'Page', questions: question, allowed_origins: 'https://example.com' },
  })
  assert.deepEqual(booking_page.questions[0].options, ['One'])
  const { webhook } = await ask('create_webhook', {
    ...{ url: 'https://example.com/hook', events: 'event.created', calendar_ids: calendar.id },
  })
  assert.deepEqual(webhook.events, ['event.created'])
})
