import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { clientNameOf } from '../../api/openapi/clientNames.ts'
import { clientOperations } from '../../api/openapi/clientOperations.ts'
import { routes } from '../../api/routes.ts'
import { AgentCalendar, operations } from '../../clients/typescript/src/entry.ts'
import { clientFiles, generatedFiles } from './files.ts'
import { readDocument } from './readDocument.ts'

const root = join(import.meta.dirname, '../..')
const files = clientFiles()

for (const [file, text] of Object.entries(files)) {
  test(`${file} is what the API document says`, () => {
    const kept = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
    assert.equal(kept, text, 'it is out of date: run npm run reference')
  })
}

test('nothing else is in the folders of generated files', () => {
  assert.deepEqual(generatedFiles(), Object.keys(files).sort())
})

test('every operation is a method of its group', () => {
  const calendar = new AgentCalendar({ apiKey: 'svc_sk_x' })
  assert.deepEqual(Object.keys(operations).sort(), routes.map(({ operationId }) => operationId).sort())
  for (const { id, group, name } of Object.values(operations)) {
    const methods = (calendar as unknown as Record<string, Record<string, unknown>>)[group]
    assert.equal(typeof methods?.[name], 'function', `${id} is not ${group}.${name}`)
  }
})

test('no parameter of the API has the name of an option of the client', () => {
  const own = ['signal', 'timeoutMs', 'maxRetries', 'idempotencyKey', 'ifMatch', 'ifNoneMatch']
  const ofPython = ['timeout_seconds', 'max_retries', 'on_answer', 'idempotency_key', 'if_match', 'if_none_match']
  for (const { id, query } of clientOperations(readDocument())) {
    assert.deepEqual(
      query.filter(({ name }) => [...own, ...ofPython].includes(name)),
      [],
      id,
    )
  }
})

test('the place of an operation follows from its name and its tag, also of one that nobody has thought of', () => {
  const place = (id: string, tag: string, taken: string[] = []) => clientNameOf(id, tag, new Set(taken)).join('.')
  assert.equal(place('createEvent', 'Events'), 'events.create')
  assert.equal(place('listAgentEvents', 'Events'), 'events.listForAgent')
  assert.equal(place('respondToProposal', 'Scheduling proposals'), 'proposals.respond')
  assert.equal(place('getEventById', 'Events'), 'events.getById')
  assert.equal(place('rotateWebhookSecret', 'Webhooks'), 'webhooks.rotateSecret')
  assert.equal(place('createPool', 'Pools'), 'pools.create')
  assert.equal(place('getPoolAvailability', 'Availability'), 'availability.getPool')
  assert.equal(place('explode', 'Strange things'), 'strangeThings.explode')
  assert.equal(place('createEvent', 'Events', ['events.create']), 'events.createEvent')
})
