// Every tool, called by callers who may not use it, or no longer may: another organization, another agent's key, a plan without it, a
// used-up budget. The tour calls each with arguments that succeed for its own organization.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeOrganization } from '../../../src/testing/factories.ts'
import { adminToken } from '../../../src/testing/harness.ts'
import { askMcp, callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { tourOf } from '../../../src/testing/mcp/mcpTour.ts'
import { serviceTest } from '../../../src/testing/test.ts'
import { allTools, toolNamed } from './toolTable.ts'

const test = serviceTest()

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any

const query = '?profile=full,coordination,meetings'
const day = '2026-03-10'

/** With every id of the one organization in place of the same one of the other. */
function withIds(value: Any, own: Record<string, string>, foreign: Record<string, string>): Any {
  const name = Object.keys(own).find((one) => own[one] === value)
  if (name) return foreign[name]
  if (Array.isArray(value)) return value.map((one) => withIds(one, own, foreign))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIds(one, own, foreign)]))
}

test('the ids of another organization do not exist, and a key of another agent may not use them', async ({
  service,
}) => {
  const [own, other] = [await makeOrganization(service), await makeOrganization(service)]
  const stranger = await makeAgent(service, own.key, { name: 'Stranger' })
  const strangerKey = await makeAgentKey(service, own.key, stranger.id)
  const [ids, foreign]: Record<string, string>[] = [{}, {}]
  for (const { tool, arguments: args, keep } of tourOf(day)) {
    const theirs = await callMcp(service, tool, args(foreign!), { key: other.key, query })
    assert.ok(!theirs.isError, `${tool} ${theirs.content[0].text}`)
    Object.assign(foreign!, keep?.(theirs.structuredContent))
    const sent = args(ids!)
    const swapped = withIds(sent, ids!, foreign!)
    if (JSON.stringify(swapped) !== JSON.stringify(sent)) {
      const error = mcpError(await callMcp(service, tool, swapped, { key: own.key, query }))
      assert.equal(error.type, 'not_found', `${tool} ${JSON.stringify(error)}`)
      assert.ok(error.param.split('.')[0] in swapped, `${tool} ${JSON.stringify(error)}`)
      assert.match(error.next_step, /list_|get_proposal|Check the id/, tool)
    }
    const byStranger = await callMcp(service, tool, sent, { key: strangerKey, query })
    const names = Object.values(sent).flat()
    const isAboutOthers = Object.values(ids!).some((id) => names.includes(id))
    if (toolNamed(tool)!.twins[0].access === 'organization' || isAboutOthers) {
      const error = mcpError(byStranger)
      assert.ok(['forbidden', 'not_found'].includes(error.type), `${tool} ${JSON.stringify(error)}`)
    }
    const result = await callMcp(service, tool, sent, { key: own.key, query })
    assert.ok(!result.isError, `${tool} ${JSON.stringify(sent)} ${result.content[0].text}`)
    Object.assign(ids!, keep?.(result.structuredContent))
  }
})

const refusedAll = async (service: Any, key: string, type: string) => {
  for (const { name } of allTools) {
    const error = mcpError(await callMcp(service, name, {}, { key, query }))
    assert.equal(error.type, type, `${name} ${JSON.stringify(error)}`)
    assert.match(error.next_step, /^[A-Z].*\.$/, name)
    assert.equal(error.retryable, type === 'rate_limit_error', name)
    assert.equal(typeof error.retry_after_seconds === 'number', /quota|rate/.test(type), name)
  }
}

test('no tool works on the waitlist', async ({ service, call }) => {
  const { id, key } = await makeOrganization(service)
  await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { is_waitlisted: true } })
  await refusedAll(service, key, 'account_waitlisted')
})

test('no tool works when the calls of the month are used up', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 1 } })
  await callMcp(service, 'list_calendars', {}, { key })
  await refusedAll(service, key, 'quota_exceeded')
})

test('no tool works without a token of the rate', async ({ service }) => {
  const { key } = await makeOrganization(service, { rate: 1 })
  await callMcp(service, 'list_calendars', {}, { key })
  await refusedAll(service, key, 'rate_limit_error')
})

test('every tool takes the budget of its twin, and gives it back when it is refused', async ({ service }) => {
  const spending = allTools.filter(({ twins: [{ spends }] }) => spends)
  assert.ok(spending.length >= 4)
  for (const budget of new Set(spending.map(({ twins: [{ spends }] }) => spends!))) {
    const { key } = await makeOrganization(service, { plan: 'custom', limits: { [budget]: 0 } })
    const one = await makeOrganization(service, { plan: 'custom', limits: { [budget]: 1 } })
    const ids: Record<string, Record<string, string>> = { [key]: {}, [one.key]: {} }
    let hasSpent = false
    for (const { tool, arguments: args, keep } of tourOf(day)) {
      const takes = toolNamed(tool)!.twins[0].spends === budget
      const result = await callMcp(service, tool, args(ids[key]!), { key, query })
      if (takes) assert.equal(mcpError(result).type, 'quota_exceeded', tool)
      else if (!result.isError) Object.assign(ids[key]!, keep?.(result.structuredContent))
      if (hasSpent) continue
      if (takes) {
        const refused = mcpError(await callMcp(service, tool, { no_such_argument: 1 }, { key: one.key, query }))
        assert.equal(refused.type, 'validation_error', tool)
        hasSpent = true
      }
      const only = await callMcp(service, tool, args(ids[one.key]!), { key: one.key, query })
      assert.ok(!only.isError, `${tool} ${only.content[0].text}`)
      Object.assign(ids[one.key]!, keep?.(only.structuredContent))
    }
    assert.ok(hasSpent, budget)
  }
})

test('a key that was revoked between two calls is refused at once by every tool', async ({ service, key, call }) => {
  const agent = await makeAgent(service, key)
  const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  assert.equal((await callMcp(service, 'list_calendars', {}, { key: body.key })).isError, undefined)
  assert.equal((await call('DELETE', `/v1/keys/${body.id}`, { key })).status, 204)
  for (const { name } of allTools) {
    const answer = await askMcp(service, 'tools/call', { name, arguments: {} }, { key: body.key, query })
    assert.deepEqual([answer.status, answer.body.error.code], [401, 401], name)
  }
})
