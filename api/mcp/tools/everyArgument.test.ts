// Every argument of every tool, wrong in every way: refused in one form, with the argument's name and a next step, and nothing
// stays of it.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { type ArgumentsSchema, type WrongCall, wrongCalls } from '../../../src/testing/mcp/mcpWrong.ts'
import { remainsOf } from '../../../src/testing/remains.ts'
import { perFile, serviceTest } from '../../../src/testing/test.ts'
import { jsonSchemaOf } from '../language/jsonSchema.ts'
import { isInBody } from '../language/operationFields.ts'
import type { Tool } from '../language/tool.ts'
import { allTools } from './toolTable.ts'

const test = serviceTest({ plan: 'custom' })
  .extend('calendar', perFile, async ({ service, key }) => {
    const agent = await makeAgent(service, key)
    return makeCalendar(service, key, agent.id)
  })
  .extend('stored', perFile, ({ service, calendar: _ }) => async () => {
    // Counters in Redis begin at 0 with the first call that could spend.
    const rows = Object.entries(await remainsOf(service)).filter(([name]) => !name.includes(':'))
    return Object.fromEntries(rows)
  })

// biome-ignore lint/suspicious/noExplicitAny: an error is looked into key by key
type Any = any

function assertRefused({ twins }: Tool, { what, of, repair }: WrongCall, error: Any): void {
  const label = `${of}, ${what}: ${JSON.stringify(error)}`
  const params = [error.param, ...(error.errors ?? []).map(({ param }: { param: string }) => param)]
  // The twin refuses what the schema cannot express: by its own type, and after the ids of the call, of which none is there.
  const isOfTwin = what === 'a text that is too long' || error.type === 'bad_request'
  const { invalidBody } = twins.find((twin) => twin.invalidBody && isInBody(twin, of)) ?? {}
  const type = invalidBody?.type ?? 'validation_error'
  const types = isOfTwin ? [type, 'bad_request', 'not_found'] : [type]
  assert.ok(types.includes(error.type), label)
  const isNamed = params.some((param) => param?.split('.')[0] === of)
  assert.ok(isNamed || (isOfTwin && error.type !== 'bad_request'), label)
  assert.ok(error.message.length > 0 && error.message.length < 1_000, label)
  assert.match(error.request_id, /^req_/, label)
  assert.equal(error.retryable, false, label)
  assert.match(error.next_step, /^[A-Z][^\n]*\.$/, label)
  const given = error.suggestions?.[0].arguments
  if (error.type === 'bad_request') return
  for (const [name, value] of Object.entries(repair ?? {})) assert.deepEqual(given?.[name], value, label)
}

for (const tool of allTools) {
  test(`${tool.name} refuses every wrong argument`, async ({ service, key, stored }) => {
    const before = await stored()
    const { properties = {}, ...schema } = jsonSchemaOf(tool.schema) as Partial<ArgumentsSchema>
    for (const wrong of wrongCalls({ ...schema, properties })) {
      const result = await callMcp(service, tool.name, wrong.arguments, { key, query: `?tools=${tool.name}` })
      assert.equal(result.isError, true, `${wrong.of}, ${wrong.what}: ${JSON.stringify(result)}`)
      assertRefused(tool, wrong, mcpError(result))
    }
    assert.deepEqual(await stored(), before)
  })
}
