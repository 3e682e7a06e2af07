// The input of a calendar: zones, reminders and bodies.
import assert from 'node:assert/strict'
import { ahead, makeAgent, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const usual = { name: 'Calendar', timezone: 'UTC' }

const test = serviceTest()

const zones = [
  'UTC',
  'Etc/UTC',
  'Etc/GMT+1',
  'Etc/GMT-14',
  'Europe/Berlin',
  'America/Argentina/Buenos_Aires',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'America/Port-au-Prince',
  'Pacific/Chatham',
  'GMT',
  'EST',
  'EST5EDT',
  // The case of names is ignored, and their spelling is kept.
  'europe/berlin',
]

test('every IANA name is a zone and is returned as it was sent', async ({ service }) => {
  const { key } = await makeOrganization(service)
  for (const timezone of zones) {
    assert.equal((await makeCalendar(service, key, undefined, { timezone })).timezone, timezone)
  }
})

const notZones = [
  '+02:00',
  '-05:00',
  '+0200',
  '+02',
  'UTC+2',
  'GMT+1',
  'Z',
  '',
  ' ',
  'Europe',
  'Europe/Nowhere',
  'Europe/Berlin ',
  'Europe Berlin',
  'W. Europe Standard Time',
  'CEST',
  // Of these ICU makes Dhaka, Auckland and a clock of its own.
  'BST',
  'nst',
  'SystemV/EST5',
  '../../etc/passwd',
  'x'.repeat(65),
]

test('an offset, an abbreviation of no zone or any other text is refused as a zone', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeCalendar(service, key)
  for (const timezone of [...notZones, 5, null]) {
    const param = { param: 'timezone' }
    const created = await call('POST', '/v1/calendars', { key, body: { ...usual, timezone } })
    assertRefused(created, 400, 'validation_error', param)
    const changed = await call('PATCH', `/v1/calendars/${id}`, { key, body: { timezone } })
    assertRefused(changed, 400, 'validation_error', param)
  }
})

const refusedBodies: [param: string, body: object][] = [
  ['name', { timezone: 'UTC' }],
  ['name', { ...usual, name: '' }],
  ['name', { ...usual, name: 'n'.repeat(256) }],
  ['name', { ...usual, name: ['Calendar'] }],
  ['timezone', { name: 'Calendar' }],
  ['agent_status', { ...usual, agent_status: '' }],
  ['agent_status', { ...usual, agent_status: 's'.repeat(65) }],
  ['agent_status', { ...usual, agent_status: null }],
  ['agent_status', { ...usual, agent_status: 1 }],
  ['default_reminders', { ...usual, default_reminders: [1, 2, 3, 4, 5, 6] }],
  ['default_reminders', { ...usual, default_reminders: [1, 1, 1, 1, 1, 1] }],
  ['default_reminders', { ...usual, default_reminders: 10 }],
  ['default_reminders', { ...usual, default_reminders: { 0: 10 } }],
  ['default_reminders.0', { ...usual, default_reminders: [0] }],
  ['default_reminders.1', { ...usual, default_reminders: [10, 40_321] }],
  ['default_reminders.2', { ...usual, default_reminders: [10, 5, -1] }],
  ['default_reminders.0', { ...usual, default_reminders: [1.5] }],
  ['default_reminders.0', { ...usual, default_reminders: ['10'] }],
  ['default_reminders.1', { ...usual, default_reminders: [10, null] }],
  ['default_reminders.0', { ...usual, default_reminders: [1e21] }],
  ['metadata', { ...usual, metadata: [] }],
  ['metadata', { ...usual, metadata: 'text' }],
  ['agentId', { ...usual, agentId: 'agt_x' }],
  ['agent_id', { ...usual, agent_id: 'agt_x' }],
  ['agentStatus', { ...usual, agentStatus: 'idle' }],
  ['provider', { ...usual, provider: 'google' }],
]

test('a body that breaks a rule is refused with the dotted path of the field, and nothing is created', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  for (const path of ['/v1/calendars', `/v1/agents/${agent.id}/calendars`]) {
    for (const [param, body] of refusedBodies) {
      assertRefused(await call('POST', path, { key, body }), 400, 'validation_error', { param })
    }
  }
  assert.equal((await call('GET', '/v1/calendars?include=all', { key })).body.total, 0)
})

test('a reminder of an event is checked and named alike', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeCalendar(service, key)
  const event = { title: 'T', start_time: ahead(service, 60), end_time: ahead(service, 90) }
  for (const [reminders, param] of [
    [[10, 0], 'reminders.1'],
    [[1, 2, 3, 4, 5, 6], 'reminders'],
  ]) {
    const answer = await call('POST', `/v1/calendars/${id}/events`, { key, body: { ...event, reminders } })
    assertRefused(answer, 400, 'validation_error', { param: param as string })
  }
})
