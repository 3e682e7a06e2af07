import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'vitest'
import { listedTool } from './tool.ts'
import { profiles } from './tools.ts'

const bounds: Record<string, number> = {
  scheduling: 12_000,
  proposals: 5_000,
  booking: 4_000,
  setup: 8_500,
  webhooks: 4_500,
  admin: 4_000,
}
for (const [profile, tools] of Object.entries(profiles)) {
  test(`the list of the profile ${profile} takes no more tokens than a model should spend on it`, () => {
    const bytes = Buffer.byteLength(JSON.stringify(tools.map(listedTool)))
    assert.ok(bytes <= bounds[profile]!, `${bytes} bytes of ${bounds[profile]}`)
  })
}

/** What no noun has: pages of tools, lengths in place of ends, and the minutes of a hold. */
const own = ['paging.ts', 'eventFields.ts', 'createEvent.ts']

test('no bound is written a second time: those of arguments come from the schemas of the nouns', () => {
  const files = globSync('api/mcp/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  assert.ok(files.length > 30)
  const written = files.filter((file) => /\.(min|max|length|regex|gte|lte)\(\d/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(
    written.filter((file) => !own.some((name) => file.endsWith(`/${name}`))),
    [],
  )
})

test('a schema of arguments has no keyword that model APIs refuse', () => {
  for (const tool of Object.values(profiles).flat()) {
    const { inputSchema, outputSchema } = listedTool(tool)
    const text = JSON.stringify([inputSchema, outputSchema])
    assert.ok(!/"\$(schema|ref|defs)"/.test(text), tool.name)
    for (const schema of [inputSchema, outputSchema] as Record<string, unknown>[]) {
      assert.equal(schema.type, 'object')
      for (const word of ['oneOf', 'anyOf', 'allOf']) assert.equal(schema[word], undefined)
    }
  }
})
