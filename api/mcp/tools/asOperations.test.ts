// One organization uses tools, another one the endpoints behind them: receivers, the audit log and the usage tell the same of both.
import assert from 'node:assert/strict'
import { makeOrganization, makeWebhook } from '../../../src/testing/factories.ts'
import { callMcp } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'
import { eventTypes } from '../../../src/webhooks/catalog.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into key by key
type Any = any
type Ids = Record<string, string>

const [tuesday, wednesday, thursday] = ['2026-03-10', '2026-03-11', '2026-03-12']
const at = (day: string, hour: number) => `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`
const spanOf = (day: string, hour: number) => ({ start_time: at(day, hour), end_time: at(day, hour + 1) })
const description = 'As it was agreed.'
const minutes = [30]

type Step = {
  tool: [name: string, args: (ids: Ids) => object]
  twin: [method: string, path: (ids: Ids) => string, body?: (ids: Ids) => object]
  /** Under which name later steps know what was made, and under which key a tool shows it. */
  makes?: [name: string, key: string]
}

/** `holdUntil`: ten minutes ahead, which is what tools take by themselves. */
const stepsUntil = (holdUntil: string): readonly Step[] => {
  const book = (name: string, fields: object, toolFields: object = fields): Step => ({
    tool: ['create_event', ({ calendar }) => ({ calendar_id: calendar, ...toolFields })],
    twin: ['POST', ({ calendar }) => `/v1/calendars/${calendar}/events`, () => fields],
    makes: [name, 'event'],
  })
  const hold = (name: string, hour: number) => {
    const fields = { title: 'Maybe', ...spanOf(wednesday!, hour), status: 'hold' }
    return book(name, { ...fields, hold_expires_at: holdUntil }, fields)
  }
  const ofEvent = (tool: string, name: string, method: string, rest = '', fields?: object): Step => ({
    tool: [tool, (ids) => ({ event_id: ids[name], ...fields })],
    twin: [method, (ids) => `/v1/events/${ids[name]}${rest}`, fields && (() => fields)],
  })
  const slots = [spanOf(thursday!, 9), spanOf(thursday!, 11)]
  const proposed = ({ agent, peer, calendar }: Ids) => ({
    ...{ title: 'Review', organizer_agent_id: agent, calendar_id: calendar, participant_agent_ids: [peer], slots },
  })
  const agent = (name: string): Step => ({
    tool: ['create_agent', () => ({ name, type: 'ai', description })],
    twin: ['POST', () => '/v1/agents', () => ({ name, type: 'ai', description })],
    makes: [name, 'agent'],
  })
  return [
    agent('agent'),
    agent('peer'),
    {
      tool: ['create_calendar', (ids) => ({ name: 'Days', timezone: 'UTC', agent_id: ids.agent })],
      twin: ['POST', (ids) => `/v1/agents/${ids.agent}/calendars`, () => ({ name: 'Days', timezone: 'UTC' })],
      makes: ['calendar', 'calendar'],
    },
    {
      tool: ['update_calendar', ({ calendar }) => ({ calendar_id: calendar, default_reminders: minutes })],
      twin: ['PATCH', ({ calendar }) => `/v1/calendars/${calendar}`, () => ({ default_reminders: minutes })],
    },
    book('event', { title: 'Plan', ...spanOf(tuesday!, 9), description, metadata: { room: 'b' } }),
    book('series', { title: 'Daily', ...spanOf(tuesday!, 15), recurrence_rule: 'FREQ=DAILY;COUNT=3' }),
    ofEvent('update_event', 'event', 'PATCH', '', { title: 'Plan anew', ...spanOf(tuesday!, 10) }),
    hold('kept', 9),
    ofEvent('confirm_event', 'kept', 'PUT', '/confirm'),
    hold('dropped', 11),
    ofEvent('release_event', 'dropped', 'PUT', '/release'),
    ofEvent('cancel_event', 'event', 'DELETE'),
    {
      tool: ['create_booking_page', ({ calendar }) => ({ calendar_id: calendar, title: 'Office hours' })],
      twin: ['POST', () => '/v1/booking-pages', ({ calendar }) => ({ calendar_id: calendar, title: 'Office hours' })],
      makes: ['page', 'booking_page'],
    },
    {
      tool: ['delete_booking_page', ({ page }) => ({ booking_page_id: page })],
      twin: ['DELETE', ({ page }) => `/v1/booking-pages/${page}`],
    },
    {
      tool: ['create_proposal', proposed],
      twin: ['POST', () => '/v1/scheduling/proposals', proposed],
      makes: ['proposal', 'proposal'],
    },
    {
      tool: ['cancel_proposal', ({ proposal }) => ({ proposal_id: proposal })],
      twin: ['POST', ({ proposal }) => `/v1/scheduling/proposals/${proposal}/cancel`],
    },
    {
      tool: ['delete_agent', ({ peer }) => ({ agent_id: peer })],
      twin: ['DELETE', ({ peer }) => `/v1/agents/${peer}`],
    },
  ]
}

/** With names in place of the ids, and without secrets. */
function comparable(value: unknown, ids: Ids): Any {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  const text = JSON.stringify(value)
    .replaceAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g, (id, prefix) => names.get(id) ?? prefix)
    .replaceAll(/(?<=\/(?:book|ical)\/)[\w-]+/g, 'secret')
  return JSON.parse(text)
}

const test = serviceTest()

test('what tools do is told, recorded and counted as what their twins do', async ({ service, receiver, call }) => {
  const steps = stepsUntil(new Date(service.clock.now().getTime() + 600_000).toISOString())
  const open = async () => {
    const { key } = await makeOrganization(service, { plan: 'pro' })
    const from = receiver.received.length
    await makeWebhook(service, key, receiver.url, eventTypes)
    return { key, ids: {} as Ids, from }
  }
  const facts = async ({ key, ids, from }: { key: string; ids: Ids; from: number }) => {
    await service.drain()
    const told = receiver.received.slice(from).map(({ type, payload }) => ({ type, payload }))
    const { data } = (await call('GET', '/v1/audit-log?limit=100', { key })).body
    const recorded = data
      .filter(({ action }: Any) => !action.startsWith('webhook.'))
      .map(({ action, resource, status }: Any) => `${action} ${resource} ${status}`)
    const usage = (await call('GET', '/v1/usage', { key })).body
    const shown = comparable(told, ids).map((one: Any) => JSON.stringify(one))
    return { told: shown.sort(), recorded: comparable(recorded, ids).sort(), usage }
  }

  const byTools = await open()
  for (const { tool, makes } of steps) {
    const [name, args] = tool
    const sent = { ...args(byTools.ids) } as Record<string, unknown>
    const result = await callMcp(service, name, sent, {
      key: byTools.key,
      query: '?profile=full,coordination,meetings',
    })
    assert.ok(!result.isError, `${name} ${result.content?.[0].text}`)
    if (makes) byTools.ids[makes[0]] = result.structuredContent[makes[1]].id
  }
  const ofTools = await facts(byTools)

  const byTwins = await open()
  for (const { twin, makes } of steps) {
    const [method, path, body] = twin
    const asked = { key: byTwins.key, ...(body && { body: body(byTwins.ids) }) }
    const answer = await call(method as 'POST', path(byTwins.ids), asked)
    assert.ok(answer.status < 300, `${method} ${path(byTwins.ids)} ${JSON.stringify(answer.body)}`)
    if (makes) byTwins.ids[makes[0]] = answer.body.id
  }
  const ofTwins = await facts(byTwins)

  assert.ok(ofTools.told.length > steps.length / 2, 'receivers are told of most steps')
  assert.deepEqual(ofTools.told, ofTwins.told)
  assert.deepEqual(ofTools.recorded, ofTwins.recorded)
  assert.deepEqual(ofTools.usage, ofTwins.usage)
})
