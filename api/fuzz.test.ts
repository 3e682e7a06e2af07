// Random requests, with and against the service's own document: none is answered with a 5xx, and one that is refused changes
// nothing. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` makes it longer.
import assert from 'node:assert/strict'
import { endWaits } from '../src/changeFeed/waits.ts'
import { errorTypes } from '../src/shapes/errorTypes.ts'
import { makeAccount } from '../src/testing/accounts.ts'
import type { Answer } from '../src/testing/answer.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../src/testing/factories.ts'
import { adminToken, type TestService } from '../src/testing/harness.ts'
import type { CallOptions } from '../src/testing/http.ts'
import { assertErrors } from '../src/testing/refused.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { routes } from './routes.ts'

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007)
const requests = Number(process.env.FUZZ_REQUESTS ?? 500)

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema is looked into key by key
type Schema = any
type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

const test = serviceTest().extend(
  'document',
  perFile,
  async ({ call }): Promise<Document> => (await call('GET', '/openapi.json')).body,
)

/** Mulberry32: the same seed gives the same requests. */
function openDice(state: number) {
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (of: number) => next() < of,
    below: (max: number) => Math.floor(next() * max),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!,
  }
}
type Dice = ReturnType<typeof openDice>

const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '😀',
  'x'.repeat(70),
  'x'.repeat(20_000),
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e400',
  '9'.repeat(40),
  "' or 1=1 --",
  '%',
  '%s%n',
  '../../etc/passwd',
  '{{7*7}}',
  '\n\r\t',
  '\u202e',
  '+02:00',
  'Europe/Berlin',
  'europe/berlin',
  'local',
  'tue',
  '[',
  '[]',
  '[!Europe/Berlin]',
  `2026-12-01T10:00[${'A'.repeat(400)}]`,
  '2026-12-01T10:00[Europe/Berlin]',
  '2026-12-01T10:00Z[Europe/Berlin][u-ca=hebrew]',
  '2027-03-28T02:30[Europe/Berlin]',
  '2026-10-25T02:30[Europe/Berlin]',
  '9999-12-31T23:59[Pacific/Honolulu]',
  '0001-01-01T00:00[Asia/Tokyo]',
  '0001-01-01T00:00:00Z[America/New_York]',
  'FREQ=DAILY',
  'FREQ=DAILY;COUNT=0',
  'FREQ=YEARLY;INTERVAL=99;UNTIL=99991231',
  'FREQ=MONTHLY;BYDAY=5FR;COUNT=730',
  'https://example.com/hook',
  'http://[::1]:1/',
  'https://a@b:99999/#',
  '2026-02-30T09:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-03-02T09:00:00',
] as const
const oddNumbers = [
  0,
  -0,
  -1,
  1,
  0.1,
  1.5,
  2 ** 31,
  2 ** 31 - 1,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  40_320,
  40_321,
] as const
const oddValues = [null, true, false, [], {}, [[]], [null], [{}], { a: { b: [1, 'x', null] } }] as const

const oddText = (dice: Dice): string =>
  dice.chance(0.3) ? dice.pick(['\0', 'a\0b', '\ud800', '']) : dice.pick(oddTexts)

const oddValue = (dice: Dice): unknown =>
  dice.pick([() => oddText(dice), () => dice.pick(oddNumbers), () => dice.pick(oddValues)])()

/** Identifiers that exist, exist elsewhere, or never did; by their prefix. */
type Pool = Map<string, string[]>

/** The parts of a request. */
type World = { service: TestService; document: Document; dice: Dice; pool: Pool }

function idFor(dice: Dice, pool: Pool, prefix: string): string {
  const known = pool.get(prefix) ?? []
  if (known.length > 0 && dice.chance(0.85)) return dice.pick(known)
  return dice.chance(0.5) ? dice.pick([...pool.values()].flat()) : `${prefix}_01k9xr8m3fe8tbc4x9m2v7h5qd`
}

const someTime = ({ service, dice }: World) =>
  ahead(service, dice.pick([-60, 0, 1, 5, 14, 30, 60, 61, 90, 1_440, 60 * 24 * 40]))

/** Mostly what the schema asks for. */
function sampleOf(world: World, given: Schema): unknown {
  const { document, dice, pool } = world
  const schema = given.$ref ? document.components.schemas[given.$ref.split('/').at(-1)] : given
  if (dice.chance(0.04)) return oddValue(dice)
  if (schema.anyOf) return sampleOf(world, dice.pick(schema.anyOf))
  if (schema.enum) return dice.pick(schema.enum)
  if (schema.const !== undefined) return schema.const
  const example = schema.example ?? schema.examples?.[0]
  const prefix = /^([a-z]{3})_[0-9a-z]{26}$/.exec(example ?? '')?.[1]
  if (prefix) return idFor(dice, pool, prefix)
  if (schema.format === 'date-time') return someTime(world)
  if (example !== undefined && schema.type !== 'object' && dice.chance(0.6)) return example
  switch (schema.type) {
    case 'string':
      return dice.chance(0.3) ? oddText(dice) : 'x'.repeat(Math.max(1, schema.minLength ?? 1) + dice.below(5))
    case 'integer':
    case 'number': {
      const min = Math.max(schema.minimum ?? 0, -1_000)
      const max = Math.min(schema.maximum ?? 1_000, 1_000_000)
      return dice.chance(0.1) ? dice.pick(oddNumbers) : min + dice.below(max - min + 1)
    }
    case 'boolean':
      return dice.chance(0.5)
    case 'array':
      return Array.from({ length: dice.below((schema.maxItems ?? 4) + 2) % 8 }, () =>
        sampleOf(world, schema.items ?? {}),
      )
    case 'object':
      return objectOf(world, schema)
    default:
      return oddValue(dice)
  }
}

function objectOf(world: World, schema: Schema): object {
  const { dice } = world
  const entries: [string, unknown][] = []
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name)
    if (dice.chance(isRequired ? 0.98 : 0.4)) entries.push([name, sampleOf(world, property)])
  }
  if (!schema.properties || dice.chance(0.03)) entries.push([dice.pick(oddTexts), oddValue(dice)])
  return Object.fromEntries(entries)
}

const spoiledTexts = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '1e999',
  '{"a":1e999}',
  '{"__proto__":{}}',
  '['.repeat(10_000),
  '\ufeff{}',
]

function requestOf(world: World, path: string, operation: Operation): { path: string; options: CallOptions } {
  const { dice } = world
  const parameters = operation.parameters ?? []
  const query: string[] = []
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'query' || !dice.chance(required ? 0.97 : 0.4)) continue
    const value = sampleOf(world, schema)
    query.push(`${name}=${encoded(Array.isArray(value) ? value.join(',') : value)}`)
    if (dice.chance(0.03)) query.push(`${name}=${encoded(oddValue(dice))}`)
  }
  if (dice.chance(0.05)) query.push(`${encoded(dice.pick(oddTexts))}=${encoded(dice.pick(oddTexts))}`, '%ZZ', '&')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (dice.chance(0.06)) return encoded(dice.pick(oddTexts).slice(0, 3_000)) || 'x'
    const schema = parameters.find((one) => one.name === name && one.in === 'path')?.schema ?? {}
    return encoded(sampleOf(world, schema)).slice(0, 3_000) || 'x'
  })
  const content = operation.requestBody?.content['application/json']
  const options: CallOptions = {}
  if (content && dice.chance(0.05)) options.raw = dice.pick(spoiledTexts)
  else if (content) options.body = sampleOf(world, content.schema) ?? null
  return { path: query.length > 0 ? `${filled}?${query.join('&').slice(0, 6_000)}` : filled, options }
}

const encoded = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed())

/**
 * Changes with every row that is written, in every table but the logs of refusals. The last use of a key is noted for any
 * request. Looking at the tables themselves would take longer than the request.
 */
async function openFingerprint({ app: { sql } }: TestService): Promise<() => Promise<string>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'test_clock'
      and relname not like 'audit_entries%' and relname not like 'refused_requests%'`
  assert.ok(tables.length > 8)
  await sql.unsafe(`
    create table written_rows (nth bigint generated always as identity, name text not null);
    create function note_written_row() returns trigger language plpgsql as
      'begin insert into written_rows (name) values (tg_table_name); return null; end';
    ${tables
      .map(
        ({ name }) => `create trigger noted after insert or delete${name === 'api_keys' ? '' : ' or update'} on ${name}
          for each row execute function note_written_row();`,
      )
      .join('\n')}`)
  return async () => {
    const rows = await sql<{ nth: string; name: string }[]>`
      select nth, name from written_rows order by nth desc limit 20`
    return rows.map(({ nth, name }) => `${nth} ${name}`).join(', ')
  }
}

/** The records that requests can name: each kind, of the caller and of a stranger. */
async function openPool(service: TestService) {
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const stranger = await makeOrganization(service)
  const pool: Pool = new Map()
  const remember = (id: string) => pool.set(id.slice(0, 3), [...(pool.get(id.slice(0, 3)) ?? []), id])
  const agents = [await makeAgent(service, key), await makeAgent(service, key), await makeAgent(service, key)]
  const calendars = [await makeCalendar(service, key), await makeCalendar(service, key, agents[0].id)]
  const event = await makeEvent(service, key, calendars[0].id)
  const hold = await makeHold(service, key, calendars[1].id)
  const webhook = await makeWebhook(service, key, 'https://example.com/hook', ['event.created'])
  const foreign = await makeAgent(service, stranger.key)
  const foreignCalendar = await makeCalendar(service, stranger.key, foreign.id)
  for (const { id } of [...agents, ...calendars, event, hold, webhook, foreign, foreignCalendar, stranger]) remember(id)
  return { pool, remember, keys: [key, key, key, await makeAgentKey(service, key, agents[0].id), stranger.key] }
}

/** Further fields of an error, for callers who request them. */
const furtherKeys = [
  ...['code', 'feature', 'current_version', 'original_request_id', 'suggestions', 'current_etag'],
  ...[
    'conflict',
    'conflicts',
    'alternatives',
    'retry_at',
    'reason',
    'resync',
    'required_role',
    'methods',
    'challenge',
    'organizations',
  ],
]

function checkRefusal({ status, headers, body }: Answer) {
  const { type, message, param, request_id, errors, ...more } = body.error
  if (errors !== undefined) assertErrors(body.error)
  assert.ok(errorTypes.includes(type), `type ${type}`)
  assert.ok(typeof message === 'string' && message.length > 0)
  assert.ok(param === null || typeof param === 'string')
  assert.equal(request_id, headers.get('x-request-id'))
  for (const name of Object.keys(more)) assert.ok(furtherKeys.includes(name), name)
  assert.equal(type === 'not_found', status === 404)
  assert.equal(['conflict', 'email_taken', 'tos_version_stale'].includes(type), status === 409)
  assert.doesNotMatch(message, /node_modules|relation "|syntax error|invalid byte/)
}

test(`${requests} requests at random (seed ${seed}): no 5xx, and a refusal changes nothing`, {
  timeout: 60_000 + 100 * requests,
}, async ({ service, document, annotate }) => {
  await annotate(`FUZZ_SEED=${seed}`)
  const dice = openDice(seed)
  // The test does not wait for changes: a stream ends when it has begun.
  endWaits(service.app)
  const fingerprint = await openFingerprint(service)
  const { pool, remember, keys } = await openPool(service)
  const world: World = { service, document, dice, pool }
  const outcomes = new Map<string, number>()
  let session: string | undefined
  let before = await fingerprint()
  for (let n = 0; n < requests; n++) {
    const route = routes[n % routes.length]!
    const template = route.path.replace(/:(\w+)/g, '{$1}')
    const { path, options } = requestOf(world, template, document.paths[template]![route.method]!)
    if (route.access === 'session' && session === undefined) {
      session = (await makeAccount(service)).token
      before = await fingerprint()
    }
    const key = route.access === 'admin' ? adminToken : route.access === 'session' ? session : dice.pick(keys)
    const told = () => `seed ${seed}, request ${n}: ${route.method} ${path} ${JSON.stringify(options)}`.slice(0, 2_000)
    const answer = await service.call(route.method.toUpperCase(), path, { key, redirect: 'manual', ...options })
    // The addresses of calendar servers that are tried do not answer.
    const isOfOthers = answer.status === 502 && answer.body.error.code === 'provider_error'
    assert.ok(answer.status < 500 || isOfOthers, `${told()} -> ${answer.status} ${JSON.stringify(answer.body)}`)
    const after = await fingerprint()
    if (answer.status >= 400) {
      assert.doesNotThrow(() => checkRefusal(answer), told())
      assert.equal(after, before, `${told()} was refused with ${answer.status}, and changed something`)
    } else if (typeof answer.body.id === 'string') remember(answer.body.id)
    else if (route.access === 'session' && [204, 303].includes(answer.status)) session = undefined
    before = after
    const outcome = `${route.method} ${route.path} ${answer.status < 400 ? 'done' : 'refused'}`
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  // A route that is always refused is hardly tried, and one that is never refused is hardly tested.
  const { length } = routes
  const done = [...outcomes.keys()].filter((name) => name.endsWith('done')).length
  const refused = [...outcomes.keys()].filter((name) => name.endsWith('refused')).length
  await annotate(`${done} of ${length} routes succeeded, ${refused} refused`)
  assert.ok(
    requests < 20 * length || (done > length * 0.4 && refused > length * 0.9),
    [...outcomes.keys()].sort().join('\n'),
  )
})
