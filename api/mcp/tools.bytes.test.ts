// How much of a model's attention the tools take: what `tools/list` shows of each profile.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { makeAgent, makeAgentKey, makeOrganization } from '../../src/testing/factories.ts'
import { askMcp } from '../../src/testing/mcp.ts'
import { serviceTest } from '../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: schemas are looked into key by key
type Any = any

const test = serviceTest({ plan: 'pro' }).extend(
  'list',
  { scope: 'file' },
  ({ service, key }) =>
    async (profile: string, as = key): Promise<Any[]> =>
      (await askMcp(service, 'tools/list', {}, { key: as, query: `?profile=${profile}` })).body.result.tools,
)

/** Bytes and number of tools. */
const bounds = {
  scheduling: [12_000, 15],
  proposals: [5_000, 6],
  booking: [4_000, 5],
  setup: [8_500, 14],
  webhooks: [4_500, 6],
  admin: [4_000, 6],
  full: [37_000, 52],
} as const

for (const [profile, [bytes, count]] of Object.entries(bounds)) {
  test(`the list of ${profile} has ${count} tools in ${bytes} bytes, and stays the same`, async ({ list }) => {
    const text = JSON.stringify(await list(profile))
    assert.equal(JSON.stringify(await list(profile)), text)
    assert.equal(JSON.parse(text).length, count)
    assert.ok(Buffer.byteLength(text) <= bytes, `${Buffer.byteLength(text)} bytes`)
  })
}

test('every schema compiles, and has nothing that model APIs refuse', async ({ list }) => {
  const ajv = new Ajv2020({ strict: false })
  for (const { name, inputSchema, outputSchema } of await list('full')) {
    for (const schema of [inputSchema, outputSchema]) {
      ajv.compile(schema)
      assert.equal(schema.type, 'object', name)
      const top = Object.keys(schema)
      assert.ok(!top.some((key) => ['oneOf', 'anyOf', 'allOf'].includes(key)), name)
      assert.ok(!/"\$(schema|ref|defs)"/.test(JSON.stringify(schema)), name)
    }
  }
})

test('an agent key and a free plan see only what they can use', async ({ service, key, list }) => {
  const agent = await makeAgent(service, key)
  const names = async (as: string) => (await list('full', as)).map(({ name }) => name)
  const ofAgent = await names(await makeAgentKey(service, key, agent.id))
  for (const name of ['create_agent', 'find_meeting_time', 'list_proposals', 'create_scoped_key', 'get_usage']) {
    assert.ok(!ofAgent.includes(name), name)
  }
  for (const name of ['create_event', 'list_webhooks', 'get_agent', 'submit_feedback']) {
    assert.equal(ofAgent.includes(name), name !== 'list_webhooks', name)
  }
  const ofFree = await names((await makeOrganization(service, { plan: 'free' })).key)
  const unpaid = ['find_meeting_time', 'confirm_event', 'release_event', 'create_proposal', 'list_scoped_keys']
  assert.deepEqual(
    ofFree.filter((name) => unpaid.includes(name)),
    [],
  )
  assert.ok(ofFree.includes('create_event'))
})
