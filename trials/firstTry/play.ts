// Makes the call of a task, repairs it at most once, and adds up the bytes that a model has to read.
import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { callMcp, mcpError } from '../../src/testing/mcp/mcp.ts'
import type { Task } from './tasks.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Any = any

const query = '?profile=full'

/** Bytes of all answers to the calls of the task. */
export async function play(service: TestService, task: Task): Promise<number> {
  await service.clock.set('2026-11-29T13:03:00Z')
  const { plan = 'pro', rate = 100_000 } = task
  const { key } = await makeOrganization(service, { plan, rate })
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin' })
  const ask = async (tool: string, args: Any) => {
    const result = await callMcp(service, tool, args, { key, query })
    assert.ok(!result.isError, JSON.stringify(result))
    return result.structuredContent
  }
  const call = await task.call({ service, key, agent, calendar, ask })
  const make = (args: object) => callMcp(service, call.tool, { ...args }, { key: call.key ?? key, query })
  let result = await make(call.args)
  let bytes = bytesOf(result)
  if (task.mark) {
    const error = mcpError(result)
    assertRefusal(task, error)
    if (task.mark === 'refused') return bytes
    result = await make(await repaired(service, call.args, error))
    bytes += bytesOf(result)
  }
  assert.ok(!result.isError, `${task.name}: ${result.content[0].text}`)
  assert.ok(task.holds?.(result.structuredContent) ?? true, result.content[0].text)
  return bytes
}

const bytesOf = ({ content }: Any): number => Buffer.byteLength(content[0].text)

function assertRefusal({ name, refusal }: Task, error: Any): void {
  const { type, code, next } = refusal!
  assert.deepEqual([error.type, error.code], [type, code], name)
  if (next) assert.match(error.next_step, next)
}

/** Merging the first suggestion, or waiting, and nothing else. */
async function repaired(service: TestService, args: object, error: Any): Promise<object> {
  if (error.retry_after_seconds !== undefined) {
    assert.equal(error.retryable, true)
    await service.clock.advance(error.retry_after_seconds * 1000)
    return args
  }
  return { ...args, ...error.suggestions[0].arguments }
}
