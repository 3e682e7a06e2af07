// Postgres is away from a process that knows the key already: the gate admits, and what is asked behind it fails.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { askMcp, mcpError, revisions } from '../../../src/testing/mcp/mcp.ts'
import { openProcess } from '../../../src/testing/process.ts'
import { perFile, serviceTest } from '../../../src/testing/test.ts'
import { openWay } from '../../../src/testing/wayToPostgres.ts'

const test = serviceTest()
  .extend('calendar', perFile, async ({ service, key }) => {
    const agent = await makeAgent(service, key)
    return makeCalendar(service, key, agent.id)
  })
  .extend('way', perFile, async ({ service }, { onCleanup }) => {
    const way = await openWay(service.app.config.databaseUrl)
    onCleanup(async () => {
      await way.close()
    })
    return way
  })
  .extend('reached', perFile, async ({ service, way }, { onCleanup }) => {
    const reached = await openProcess(service, { config: { databaseUrl: way.url } })
    onCleanup(reached.close)
    return reached
  })

test('a store that is away is a status where nothing was called, and a result where a tool was', async ({
  reached,
  way,
  key,
  calendar,
}) => {
  assert.equal((await askMcp(reached, 'resources/list', {}, { key })).status, 200)
  way.treat('hang up')
  way.reset()
  const asked: [method: string, params: Record<string, unknown>][] = [
    ['resources/list', {}],
    ['resources/read', { uri: `agent-calendar://calendars/${calendar.id}/context` }],
    ['prompts/get', { name: 'schedule_event', arguments: { title: 'x', start_time: 'y', calendar_id: calendar.id } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'calendar_id', value: '' } }],
  ]
  const askAll = async (revision: (typeof revisions)[number]) => {
    for (const [method, params] of asked) {
      const { status, headers, body } = await askMcp(reached, method, params, { key, revision })
      const { id, error } = body
      assert.deepEqual([status, id, error?.code], [503, 1, 503], `${revision} ${method} ${JSON.stringify(body)}`)
      assert.equal(error.data.type, 'internal_error')
      assert.equal(headers.get('retry-after'), '1')
    }
    const { status, headers, body } = await askMcp(reached, 'tools/call', { name: 'list_calendars' }, { key, revision })
    const { type, retryable, retry_after_seconds } = mcpError(body.result)
    assert.deepEqual([status, type, retryable, retry_after_seconds], [200, 'internal_error', true, 1])
    assert.equal(headers.get('retry-after'), '1')
  }
  await Promise.all(revisions.map(askAll))
  way.treat('pass on')
  assert.equal((await askMcp(reached, 'resources/list', {}, { key })).status, 200)
})
