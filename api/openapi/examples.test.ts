// The examples of the document work when they are sent, and are what their names say.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ahead, makeCalendar } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { routes } from '../routes.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into key by key
type Any = any

const test = serviceTest()
  .extend('document', perFile, async ({ call }): Promise<Any> => (await call('GET', '/openapi.json')).body)
  .extend(
    'operationOf',
    perFile,
    ({ document }) =>
      (method: string, path: string): Any =>
        document.paths[path][method.toLowerCase()],
  )
  .extend(
    'resolved',
    perFile,
    ({ document }) =>
      (schema: Any): Any =>
        schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema,
  )
  .extend(
    'bodyExample',
    perFile,
    ({ operationOf, resolved }) =>
      (method: string, path: string): Any =>
        resolved(operationOf(method, path).requestBody.content['application/json'].schema).example,
  )

/** Every object of the document with its place as a pointer, without the content of examples. */
function* objectsOf(value: Any, place = '#'): Generator<[string, Any]> {
  if (typeof value !== 'object' || value === null) return
  yield [place, value]
  for (const [key, item] of Object.entries(value))
    if (key !== 'example' && key !== 'examples')
      yield* objectsOf(item, `${place}/${encodeURIComponent(key.replaceAll('/', '~1'))}`)
}

/** The example of a body, with identifiers that exist in place of those of the document. */
const filled = (example: Any, ids: Record<string, string>): Any =>
  JSON.parse(
    JSON.stringify(example).replace(/"([a-z]{3})_[0-9a-z]{26}"/g, (text, prefix: string) =>
      ids[prefix] ? `"${ids[prefix]}"` : text,
    ),
  )

test('every body has an example, and the route takes it', ({ bodyExample }) => {
  for (const { method, path, body } of routes) {
    if (!body) continue
    const name = `${method} ${path}`
    const example = bodyExample(method, path.replace(/:(\w+)/g, '{$1}'))
    assert.ok(example, name)
    const parsed = body.safeParse(example)
    assert.ok(parsed.success, `${name}: ${parsed.error?.message}`)
  }
})

test('every example fits its schema', ({ document }) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document')
  let count = 0
  for (const [place, found] of objectsOf(document)) {
    if (!('example' in found) || place.endsWith('/properties')) continue
    const schema = found.schema ?? found
    const example = found.example ?? schema.example
    const validate = ajv.compile<Any>({ $ref: `document${place}${found.schema ? '/schema' : ''}` })
    assert.ok(validate(example), `${place}: ${ajv.errorsText(validate.errors)}`)
    if (schema.properties) {
      const unknown = Object.keys(example).filter((name) => !(name in schema.properties))
      assert.deepEqual(unknown, [], place)
    }
    count++
  }
  assert.ok(count > 200, `${count}`)
})

test('in the examples, ends and later times are later', ({ document, resolved }) => {
  const pairs = ['start end', 'start_time end_time', 'startTime endTime', 'from to', 'start_after start_before']
  let count = 0
  const compare = (place: string, exampleOf: (name: string) => Any) => {
    for (const [early = '', late = ''] of pairs.map((pair) => pair.split(' '))) {
      const [first, second] = [exampleOf(early), exampleOf(late)]
      if (typeof first !== 'string' || typeof second !== 'string') continue
      assert.ok(first < second, `${place}: ${early} ${first}, ${late} ${second}`)
      count++
    }
  }
  for (const [place, found] of objectsOf(document)) {
    if (found.properties) compare(place, (name) => found.properties[name] && resolved(found.properties[name]).example)
    if (found.parameters) {
      compare(place, (name) => {
        const schema = found.parameters.find((one: Any) => one.name === name)?.schema
        return schema?.example ?? schema?.examples?.[0]
      })
    }
    for (const [, inside] of objectsOf(found.example)) compare(`${place}/example`, (name) => inside[name])
  }
  assert.ok(count > 15, `${count}`)
})

test('each example of an event makes what its name says', async ({ service, key, operationOf }) => {
  const calendar = await makeCalendar(service, key)
  const { examples } = operationOf('POST', '/v1/calendars/{cal_id}/events').requestBody.content['application/json']
  const made: Any = {}
  for (const [name, { value }] of Object.entries<Any>(examples)) {
    // The one field whose example cannot be a date for ever.
    const body = { ...value, ...(value.hold_expires_at && { hold_expires_at: ahead(service, 5) }) }
    const answer = await service.call('POST', `/v1/calendars/${calendar.id}/events`, { key, body })
    assert.equal(answer.status, 201, `${name}: ${JSON.stringify(answer.body)}`)
    made[name] = answer.body
  }
  assert.deepEqual(Object.keys(made), ['event', 'all_day', 'hold', 'series', 'local_series'])
  assert.equal(made.local_series.recurrenceTimezone, 'Europe/Berlin')
  assert.deepEqual([made.event.status, made.event.reminders], ['confirmed', [10]])
  assert.equal(made.all_day.allDay, true)
  assert.deepEqual([made.hold.status, made.hold.holdPriority], ['hold', 10])
  assert.equal(made.series.recurrenceRule, 'FREQ=WEEKLY;BYDAY=TU;COUNT=10')
})

test('only a required parameter of the query has an example that a page fills in', ({ document }) => {
  for (const { parameters = [], operationId } of Object.values(document.paths).flatMap((item: Any) =>
    Object.values<Any>(item),
  )) {
    for (const { name, in: place, required, schema } of parameters) {
      const isToBeSent = place === 'query' && required
      if (!isToBeSent) assert.equal(schema.example, undefined, `${operationId} ${name}`)
    }
  }
})

test('no bound of a number is a bound of the language instead of the service', ({ document }) => {
  for (const [place, found] of objectsOf(document)) {
    for (const bound of [found.minimum, found.maximum, found.exclusiveMinimum]) {
      assert.ok(bound === undefined || Number.isSafeInteger(bound * 2), `${place}: ${bound}`)
    }
  }
  assert.doesNotMatch(JSON.stringify(document), /9007199254740991/)
})

test('the examples are accepted when they are sent with the ids of earlier answers', async ({
  service,
  key,
  bodyExample,
}) => {
  const send = async (method: string, path: string, ids: Record<string, string> = {}, who = key) => {
    const body = filled(bodyExample(method, path), ids)
    const target = path.replace(
      /\{(\w+)\}/g,
      (_, name) => ids[name] ?? ids[{ agent_id: 'agt', cal_id: 'cal' }[name as 'cal_id']]!,
    )
    const answer = await service.call(method, target, { key: who, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const agt = (await send('POST', '/v1/agents')).id
  await send('PATCH', '/v1/agents/{id}', { id: agt })
  const cal = (await send('POST', '/v1/agents/{agent_id}/calendars', { agt })).id
  await send('POST', '/v1/calendars')
  await send('PATCH', '/v1/calendars/{id}', { id: cal })
  const evt = (await send('POST', '/v1/calendars/{cal_id}/events', { cal })).id
  await send('PATCH', '/v1/calendars/{cal_id}/events/{id}', { cal, id: evt })
  await send('PUT', '/v1/calendars/{id}/availability-rules', { id: cal })
  await send('POST', '/v1/keys', { agt })
  const proposal = await send('POST', '/v1/scheduling/proposals', { agt, cal })
  const { slots } = (await service.call('GET', `/v1/scheduling/proposals/${proposal.id}`, { key })).body
  await send('POST', '/v1/scheduling/proposals/{id}/respond', { id: proposal.id, agt, slt: slots[0].id })
  const page = (await send('POST', '/v1/booking-pages', { cal })).id
  await send('PATCH', '/v1/booking-pages/{id}', { id: page })
  const hook = (await send('POST', '/v1/webhooks')).id
  await send('PATCH', '/v1/webhooks/{id}', { id: hook })
  await send('POST', '/v1/feedback')
  const org = (await send('POST', '/v1/admin/orgs', {}, adminToken)).org.id
  await send('PATCH', '/v1/admin/orgs/{id}', { id: org }, adminToken)
  await send('POST', '/v1/admin/terms', {}, adminToken)
})

test('the example of a window of availability has slots', async ({ service, key, operationOf }) => {
  const calendar = await makeCalendar(service, key)
  const parameters: Any[] = operationOf('GET', '/v1/calendars/{id}/availability').parameters
  const query = parameters.flatMap(({ name, in: place, required, schema }) =>
    place === 'query' && required ? [`${name}=${schema.example}`] : [],
  )
  const answer = await service.call('GET', `/v1/calendars/${calendar.id}/availability?${query.join('&')}`, { key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.ok(answer.body.slots.length > 1)
})
