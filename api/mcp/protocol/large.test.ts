// Large records, and large texts of callers: an answer stays small enough for a model, and the arguments that it should send are complete.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { perFile, serviceTest } from '../../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any

const maxBytes = 24_000
const query = '?profile=full'

const test = serviceTest({ plan: 'pro' })
  .extend('use', perFile, ({ service, key }) => async (tool: string, args: object): Promise<Any> => {
    const result = await callMcp(service, tool, { ...args }, { key, query })
    assert.ok(Buffer.byteLength(result.content[0].text) <= maxBytes, `${tool}: ${result.content[0].text.length}`)
    return result
  })
  .extend('ask', perFile, ({ use }) => async (tool: string, args: object): Promise<Any> => {
    const result = await use(tool, args)
    assert.ok(!result.isError, result.content[0].text)
    return result.structuredContent
  })

test('what does not fit of a record is left out, and the record says so', async ({ service, key, ask }) => {
  const [organizer, ...peers] = await Promise.all(Array.from({ length: 6 }, () => makeAgent(service, key)))
  const calendar = await makeCalendar(service, key, organizer!.id)
  const slots = Array.from({ length: 20 }, (_, nth) => {
    const day = `2026-05-${String(nth + 1).padStart(2, '0')}`
    return { start_time: `${day}T09:00`, end_time: `${day}T10:00` }
  })
  const { proposal } = await ask('create_proposal', {
    ...{ title: '日'.repeat(500), description: '日'.repeat(5_000), metadata: { note: 'x'.repeat(16_000) } },
    ...{
      organizer_agent_id: organizer!.id,
      participant_agent_ids: peers.map(({ id }) => id),
      calendar_id: calendar.id,
    },
    slots,
  })
  assert.deepEqual([proposal.description_truncated, proposal.metadata.note.length], [true, 16_000])
  const proposal_id = proposal.id
  for (const { id } of peers.slice(1)) {
    const answer = { proposal_id, agent_id: id, response: 'counter', counter_slots: slots, message: '日'.repeat(2_000) }
    await ask('respond_to_proposal', answer)
  }
  const whole = (await ask('get_proposal', { proposal_id })).proposal
  assert.deepEqual([whole.id, whole.responses_truncated, whole.responses.length > 0], [proposal_id, true, true])
  const { proposals, total } = await ask('list_proposals', {})
  assert.deepEqual([proposals.length, total, proposals[0].id], [1, 1, proposal_id])
})

test('of a series, what people wrote is shown once', async ({ service, key, ask }) => {
  const { id: calendar_id } = await makeCalendar(service, key)
  const note = 'x'.repeat(16_300)
  const { event } = await ask('create_event', {
    ...{ calendar_id, title: 'Daily', start_time: '2026-05-04T09:00', recurrence_rule: 'FREQ=DAILY' },
    metadata: { note },
  })
  const answer = await ask('cancel_event', { event_id: event.id, occurrence_start: '2026-05-05T09:00' })
  assert.deepEqual([answer.event.metadata, answer.series.metadata], [{ note }, undefined])
})

test('what a call is told to send is whole', async ({ use, ask }) => {
  const sent = { name: 'Ada', type: 'ai', descriptoin: 'x'.repeat(9_500) }
  const [repair] = mcpError(await use('create_agent', sent)).suggestions
  const { agent } = await ask('create_agent', { ...sent, ...repair.arguments })
  assert.equal(agent.description_truncated, true)
  // A repair that does not fit is not shown, and the next step does not mention it.
  const larger = mcpError(await use('create_agent', { ...sent, descriptoin: 'x'.repeat(30_000) }))
  assert.equal(larger.suggestions, undefined)
  assert.doesNotMatch(larger.next_step, /suggestion/)
})

test('a refusal repeats little of what it refuses', async ({ use }) => {
  const name = 'z'.repeat(60_000)
  const unknown = mcpError(await use('create_agent', { name: 'Ada', type: 'ai', [name]: 1 }))
  assert.equal(unknown.param, name.slice(0, 200))
  const days = Object.fromEntries(Array.from({ length: 100 }, (_, nth) => [`${nth}${'d'.repeat(1_000)}`, 1]))
  const { errors, errors_truncated } = mcpError(await use('set_availability_rules', { working_hours: days }))
  assert.deepEqual([errors.length > 0, errors_truncated], [true, true])
})
