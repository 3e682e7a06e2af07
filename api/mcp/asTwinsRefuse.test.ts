// A wrong input is refused by a tool as its twin refuses it over REST: the same type, the same code, the same field. Each call of
// the tour is made wrong in every way that both can send.
import assert from 'node:assert/strict'
import { makeOrganization } from '../../src/testing/factories.ts'
import { callMcp } from '../../src/testing/mcp/mcp.ts'
import { tourOf } from '../../src/testing/mcp/mcpTour.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { jsonSchemaOf } from './language/jsonSchema.ts'
import type { Tool } from './language/tool.ts'
import { allTools, toolNamed } from './tools/toolTable.ts'

const test = serviceTest()

// biome-ignore lint/suspicious/noExplicitAny: schemas and answers are looked into key by key
type Any = any
type Json = Record<string, unknown>

const day = '2026-03-10'
const span = { start_time: `${day}T09:00:00Z`, end_time: `${day}T10:00:00Z` }
const window = { start: span.start_time, end: span.end_time }
const tooLong = 'x'.repeat(20_001)
const tooLongForAddress = 'x'.repeat(6_000)
const noOne = '00000000000000000000000000'

/** REST names of fields that tools read in a form of their own. */
const inForm: Record<string, (args: Json) => Json> = {
  create_event: ({ start_time: _, duration_minutes: __, ...args }) => ({
    ...{ ...args, ...span },
    ...(args.status === 'hold' && { hold_expires_at: '2026-03-02T09:10:00Z' }),
  }),
  list_events: ({ start: _, end: __, ...args }) => ({ ...args }),
  get_availability: ({ start: _, end: __, ...args }) => ({ ...args, ...window }),
  find_meeting_time: ({ timezone: _, ...args }) => ({ ...args, ...window, agents: [args.agents].flat().join(',') }),
  create_proposal: (args) => ({ ...args, ...(Array.isArray(args.slots) && { slots: args.slots.map(inUtc) }) }),
}

const inUtc = (slot: Any): unknown =>
  Object.fromEntries(
    Object.entries(slot).map(([name, value]) => [name, /T\d\d:\d\d$/.test(String(value)) ? `${value}:00Z` : value]),
  )

/** Refusals of tools in a form of their own: names where REST has a path, and lists that are texts in an address. */
const ownWays: Record<string, readonly string[]> = {
  create_event: ['start_time', 'end_time', 'weekday', 'calendar_id'],
  update_event: ['start_time', 'end_time', 'weekday', 'occurrence_start'],
  get_availability: ['start', 'end', 'limit', 'calendar_id'],
  list_events: ['limit', 'offset', 'calendar_id'],
  find_meeting_time: ['start', 'end', 'agents', 'calendars'],
  list_scoped_keys: ['limit', 'offset'],
  get_audit_log: ['from', 'to'],
}

type Request = { method: string; path: string; body?: Json }

/** The twin's request with these arguments; undefined if the twin has no place for one of them. */
function asRest({ name, twins, effect }: Tool, args: Json): Request | undefined {
  const hasIds = (params: Any) => namesOf(params).every((one) => idFor(one, args) !== undefined)
  const twin = twins.find(({ params }) => params && hasIds(params)) ?? twins.find(({ params }) => !params)
  if (!twin) return undefined
  const rest = { ...(inForm[name]?.(args) ?? args) }
  const path = twin.path.replace(/:(\w+)/g, (_, one) => {
    const id = idFor(one, args)!
    delete rest[id]
    return encodeURIComponent(String(args[id]))
  })
  const method = twin.method.toUpperCase()
  // An event of an accepted call must not conflict with the calls that follow.
  if (effect !== 'reads') return { method, path: `${path}?dry_run=true`, ...(twin.body && { body: rest }) }
  const query = Object.entries(rest).map(([key, value]) => [key, String(value)])
  return { method, path: `${path}?${new URLSearchParams(query)}` }
}

const namesOf = (schema: Any): string[] => Object.keys(schema.shape)

/** The argument for an id in a path: `:cal_id` is `calendar_id`, `:id` is the one id that the call begins with. */
function idFor(param: string, args: Json): string | undefined {
  if (param === 'cal_id') return 'calendar_id' in args ? 'calendar_id' : undefined
  const names = Object.keys(args)
  return names.find((name) => name === param) ?? (param === 'id' ? names.find((name) => /_id$/.test(name)) : undefined)
}

const typesOf = ({ type }: Any): string[] => [type].flat()

/** Values that no twin takes for the property, each with what is wrong with it. */
function* wrongValues(property: Any, tooLong: string): Generator<unknown> {
  const { minimum, maximum, enum: words, items, properties } = property
  const types = typesOf(property)
  if (minimum !== undefined) yield minimum - 1
  if (maximum !== undefined) yield maximum + 1
  if (words) yield 'zzzzzzzz'
  else if (types.includes('string')) yield tooLong
  if (types.includes('array') && items) for (const one of wrongValues(items, tooLong)) yield [one]
  if (types.includes('array')) yield []
  if (properties) yield {}
}

/** The arguments of a call, each wrong in every way, and each left out. */
function* wrongCalls(tool: Tool, args: Json): Generator<Json> {
  const { properties = {}, required = [] } = jsonSchemaOf(tool.listedSchema) as Any
  const text = tool.effect === 'reads' ? tooLongForAddress : tooLong
  const own = [...(ownWays[tool.name] ?? []), 'idempotency_key', 'timezone']
  for (const [name, property] of Object.entries<Any>(properties)) {
    if (own.includes(name)) continue
    // No address holds an id of any length.
    const wrongs = name.endsWith('_id') ? [] : wrongValues(property, text)
    for (const wrong of wrongs) yield { ...args, [name]: wrong }
    const { [name]: sent, ...others } = args
    if (required.includes(name) && !name.endsWith('_id')) yield others
    const prefix = /^([a-z]{3})_/.exec(String(sent))?.[1]
    const ids = prefix ? [`${prefix}_${noOne}`, 'nothing'] : []
    for (const id of ids) yield { ...args, [name]: Array.isArray(sent) ? [id] : id }
  }
  // An unknown name is one word for all tools; for the bodies of proposals REST has another one.
  if (!tool.twins[0].path.includes('proposals')) yield { ...args, no_such_name: 1 }
}

/** Faults that only proposals can have. */
const ofProposals: Record<string, (args: Json) => Json[]> = {
  create_proposal: (args) => [
    { ...args, participant_agent_ids: [] },
    { ...args, participant_agent_ids: [args.organizer_agent_id, args.organizer_agent_id] },
    { ...args, slots: [{ start_time: span.end_time, end_time: span.start_time }] },
    { ...args, slots: [{ start_time: 'tomorrow', end_time: span.end_time }] },
    { ...args, slots: [{ ...span, weight: 11 }] },
    { ...args, expires_at: '2026-03-02T08:00:00Z' },
  ],
  respond_to_proposal: ({ selected_slot_id: _, ...args }) => [
    { ...args, response: 'accept' },
    { ...args, response: 'accept', selected_slot_id: `slt_${noOne}` },
    { ...args, response: 'perhaps' },
    { ...args, message: tooLong },
    { ...args, response: 'counter', counter_slots: [{ start_time: span.end_time, end_time: span.start_time }] },
  ],
}

test('wrong input is refused by each tool as by its twin', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const ids: Record<string, string> = {}
  const differing: string[] = []
  const compared = new Map<string, number>()
  for (const { tool: name, arguments: argsOf, keep } of tourOf(day)) {
    const tool = toolNamed(name)!
    // Over REST a feed is one of an agent; the tool takes that too.
    const args = { ...argsOf(ids), ...(name === 'subscribe_ical' && { agent_id: ids.agent }) }
    const query = '?profile=full,coordination,meetings'
    const wrongs = compared.has(name) ? [] : [...wrongCalls(tool, args), ...(ofProposals[name]?.(args) ?? [])]
    for (const wrong of wrongs) {
      const request = asRest(tool, wrong)
      if (!request) continue
      const { status, body } = await call(request.method as 'POST', request.path, {
        key,
        ...(request.body && { body: request.body }),
      })
      const label = `${name} ${JSON.stringify(wrong).slice(0, 300)} ${JSON.stringify(request).slice(0, 200)}`
      // Some may be long or empty.
      if (status < 400) continue
      const { error } = JSON.parse((await callMcp(service, name, wrong, { key, query })).content[0].text)
      const [asked, of] = [error, body.error].map((one) => [one?.type, one?.code, one?.param ?? null])
      const isSame = asked![0] === of![0] && asked![1] === of![1] && (of![2] === null || asked![2] === of![2])
      if (!isSame) differing.push(`${label}: ${asked} instead of ${of}`)
      compared.set(name, (compared.get(name) ?? 0) + 1)
    }
    const result = await callMcp(service, name, args, { key, query })
    assert.ok(!result.isError, `${name} ${result.content?.[0].text}`)
    Object.assign(ids, keep?.(result.structuredContent))
  }
  assert.deepEqual(differing, [])
  const without = allTools.filter((tool) => !compared.has(tool.name))
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  )
})
