// The output of `tools/list`: schemas that every model API takes, within the bytes that a conversation can spare.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { makeAgent, makeAgentKey, makeOrganization } from '../../../src/testing/factories.ts'
import { askMcp } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'
import { routes } from '../../routes.ts'
import { listedTool } from '../language/tool.ts'
import { allTools, fullTools, profiles } from './toolTable.ts'

const test = serviceTest()

// biome-ignore lint/suspicious/noExplicitAny: a schema is looked into key by key
type Any = any

const keysOf = (value: Any): string[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(keysOf)]
    : []

/** Every schema within a schema, with its path. */
function* schemasIn(schema: Any, path: string): Generator<[path: string, schema: Any]> {
  yield [path, schema]
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* schemasIn(field, `${path}.${name}`)
  for (const key of ['items', 'additionalProperties', 'propertyNames', 'not', 'contains']) {
    if (typeof schema[key] === 'object') yield* schemasIn(schema[key], `${path} ${key}`)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const one of schema[key] ?? []) yield* schemasIn(one, `${path} ${key}`)
  }
}

const jsonTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

test('every schema of every tool has a type, at any depth: some hosts refuse the whole list for one that has not', () => {
  for (const tool of allTools) {
    const { inputSchema, outputSchema } = listedTool(tool)
    for (const [path, schema] of [...schemasIn(inputSchema, 'in'), ...schemasIn(outputSchema, 'out')]) {
      const types = [schema.type].flat()
      const isUnion = schema.type === undefined && Array.isArray(schema.anyOf)
      const isTyped = types.every((type) => jsonTypes.includes(type))
      assert.ok(isUnion || isTyped, `${tool.name} ${path}: ${JSON.stringify(schema)}`)
    }
  }
})

/** As the contract has them: R reads, C creates, U changes and may destroy, S is safe to repeat; W reaches the world outside. */
const annotated: Record<string, string> = {
  R: 'list_calendars get_calendar_context list_events get_event get_availability find_meeting_time list_agents list_proposals get_proposal list_booking_pages get_booking_page get_agent get_calendar get_availability_rules list_ical_subscriptions get_ical_subscription list_webhooks get_webhook list_webhook_deliveries list_scoped_keys get_usage get_audit_log list_hold_groups get_hold_group list_deleted_events get_event_history',
  C: 'create_event create_agent create_calendar create_proposal respond_to_proposal create_booking_page create_scoped_key submit_feedback create_hold_group',
  CW: 'subscribe_ical create_webhook',
  U: 'update_event cancel_event release_event resolve_proposal cancel_proposal update_booking_page delete_booking_page update_agent delete_agent update_calendar delete_calendar set_availability_rules clear_availability_rules delete_ical_subscription delete_webhook revoke_scoped_key release_hold_group',
  UW: 'update_ical_subscription update_webhook',
  S: 'confirm_event confirm_hold_group restore_event',
  SW: 'sync_ical_subscription',
}

/** The hints of a tool as a host reads them, with the defaults of the protocol. */
function lettersOf({ annotations }: Any): string {
  const hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = { ...hints, ...annotations }
  const letter = readOnlyHint ? 'R' : destructiveHint ? (idempotentHint ? 'U' : '?') : idempotentHint ? 'S' : 'C'
  return letter + (openWorldHint ? 'W' : '')
}

test('every tool is annotated as the contract has it', () => {
  const shown = Object.groupBy(allTools, (tool) => lettersOf(listedTool(tool)))
  const names = Object.entries(shown).map(([letters, tools]) => [letters, tools!.map(({ name }) => name).sort()])
  const expected = Object.entries(annotated).map(([letters, text]) => [letters, text.split(' ').sort()])
  assert.deepEqual(Object.fromEntries(names), Object.fromEntries(expected))
})

for (const tool of allTools) {
  test(`${tool.name} has schemas that models are given`, () => {
    const { name, title, description, inputSchema, outputSchema } = listedTool(tool) as Any
    assert.match(name, /^[a-z_]+$/)
    assert.ok(title.length > 0 && /^\S.*\.$/.test(description), description)
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    for (const schema of [inputSchema, outputSchema]) {
      ajv.compile(schema)
      assert.equal(schema.type, 'object')
      const forbidden = ['$schema', '$ref', '$defs', 'maxLength', 'minLength']
      assert.deepEqual(
        keysOf(schema).filter((key) => forbidden.includes(key)),
        [],
      )
      for (const key of ['oneOf', 'anyOf', 'allOf']) assert.equal(schema[key], undefined)
    }
    assert.equal('idempotency_key' in inputSchema.properties, tool.effect !== 'reads')
    assert.equal(outputSchema.additionalProperties, undefined)
  })
}

/** Bytes and number of tools. */
const bounds = {
  scheduling: [12_000, 15],
  proposals: [5_000, 6],
  booking: [4_000, 5],
  setup: [8_500, 14],
  webhooks: [4_500, 6],
  admin: [4_000, 6],
  coordination: [4_500, 5],
  meetings: [5_000, 3],
  full: [37_000, 52],
} as const
for (const [profile, [bound, count]] of Object.entries(bounds)) {
  test(`the list of ${profile} has ${count} tools in ${bound} bytes, and is the same each time`, async ({
    service,
    key,
  }) => {
    const list = () => askMcp(service, 'tools/list', {}, { key, query: `?profile=${profile}` })
    const { body, text } = await list()
    const bytes = Buffer.byteLength(JSON.stringify(body.result.tools))
    assert.ok(bytes <= bound, `${bytes} bytes`)
    assert.equal(body.result.tools.length, count)
    assert.equal((await list()).text, text)
    assert.equal(body.result.nextCursor, undefined)
  })
}

const namesOf = async (service: Parameters<typeof askMcp>[0], key: string, query = '') =>
  ((await askMcp(service, 'tools/list', {}, { key, query })).body.result.tools as { name: string }[]).map(
    ({ name }) => name,
  )

test('the address selects, in the order of the table', async ({ service, key }) => {
  const usual = profiles.scheduling.map(({ name }) => name)
  assert.deepEqual(await namesOf(service, key), usual)
  assert.deepEqual(await namesOf(service, key, '?tools=get_event,list_calendars'), ['list_calendars', 'get_event'])
  assert.deepEqual(await namesOf(service, key, '?profile=scheduling&tools=list_calendars'), usual)
  const readOnly = await namesOf(service, key, '?profile=full&read_only=true')
  assert.deepEqual(
    readOnly,
    fullTools.filter(({ effect }) => effect === 'reads').map(({ name }) => name),
  )
  assert.deepEqual(
    await namesOf(service, key, '?profile=full'),
    fullTools.map(({ name }) => name),
  )
})

test('an address that selects nothing known is refused with what is known', async ({ service, key }) => {
  for (const [query, hint] of [
    ['?profile=all', /scheduling, proposals, booking, setup, webhooks, admin, full, coordination, meetings/],
    ['?profile=', /scheduling/],
    ['?profile=scheduling&profile=admin', /once/],
    ['?tools=create_evnt', /create_event/],
    ['?tools=', /list_calendars/],
    ['?read_only=yes', /true or false/],
    ['?profil=x', /profile, tools, read_only/],
  ] as const) {
    const { status, body } = await askMcp(service, 'tools/list', {}, { key, query })
    assert.deepEqual([status, body.error.code], [400, -32600], query)
    assert.match(body.error.message, hint)
  }
})

test('a tool outside the selection does not exist', async ({ service, key }) => {
  const params = { name: 'get_event', arguments: { event_id: 'evt_x' } }
  const outside = await askMcp(service, 'tools/call', params, { key, query: '?tools=list_calendars' })
  assert.deepEqual([outside.status, outside.body.error.code, outside.body.id], [200, -32602, 1])
  const noObject = { name: 'list_calendars', arguments: [] }
  assert.equal((await askMcp(service, 'tools/call', noObject, { key })).body.error.code, -32602)
})

test('a key is not shown what it cannot use; a call of it all the same is answered by the gate', async ({
  service,
}) => {
  const pro = await makeOrganization(service)
  const agent = await makeAgent(service, pro.key)
  const agentKey = await makeAgentKey(service, pro.key, agent.id)
  const free = await makeOrganization(service, { plan: 'free' })
  const seen = async (key: string) => new Set(await namesOf(service, key, '?profile=full,coordination,meetings'))
  const [byPro, byAgent, byFree] = [await seen(pro.key), await seen(agentKey), await seen(free.key)]
  for (const tool of allTools) {
    const [twin] = tool.twins
    const feature = tool.feature ?? twin.feature
    assert.ok(byPro.has(tool.name))
    assert.equal(byAgent.has(tool.name), twin.access !== 'organization', tool.name)
    assert.equal(byFree.has(tool.name), feature === undefined, tool.name)
    const call = async (key: string) => {
      const { body } = await askMcp(
        service,
        'tools/call',
        { name: tool.name, arguments: {} },
        { key, query: '?profile=full,coordination,meetings' },
      )
      return JSON.parse(body.result.content[0].text).error?.type
    }
    if (twin.access === 'organization') assert.equal(await call(agentKey), 'forbidden', tool.name)
    if (twin.feature) assert.equal(await call(free.key), 'plan_required', tool.name)
  }
})

/** Not for models: a person does it, programs use REST for it, or it is one id more than a tool asks for. */
const leftOut = [
  ...['acceptTermsWithKey', 'verifyAgent', 'getTime', 'checkCalendarAvailability', 'checkAgentAvailability'],
  ...[
    'listOverlappingEvents',
    'getWebhookDelivery',
    'listPageBookings',
    'previewBookingPage',
    'replaceCalendarFeedAddress',
    ...['createBusyFeed', 'getBusyFeed', 'deleteBusyFeed'],
    'listAllIcalSubscriptions',
    'getEvent',
    'updateEvent',
    'deleteEvent',
    'listChanges',
    'streamChanges',
    'resendWebhookDelivery',
    'testWebhook',
  ],
  ...[
    'renewHoldGroup',
    'updateAgentKey',
    'rotateAgentKey',
    'listRefusedRequests',
    ...['listApprovals', 'getApproval', 'approveApproval', 'rejectApproval'],
    'rotateWebhookSecret',
    'endWebhookSecretOverlap',
    'getWebhookHealth',
    'getWebhookHealthSeries',
    'replayWebhook',
    'getWebhookReplay',
  ],
]
/** Connections to calendars of people. */
const isConnection = (name: string) => /Connection|Grant/.test(name)

test('every route for keys has a tool, or is left out by name', () => {
  const covered = new Set(allTools.flatMap(({ twins }) => twins.map(({ operationId }) => operationId)))
  const open = routes
    .filter(({ access }) => access === 'key' || access === 'organization')
    .map(({ operationId }) => operationId)
    .filter((name) => !covered.has(name) && !leftOut.includes(name) && !isConnection(name))
  assert.deepEqual(open, [])
})
