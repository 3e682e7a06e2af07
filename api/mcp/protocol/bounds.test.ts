import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

/** Fields that no noun has: pages of tools, lengths in place of ends, and the minutes of a hold. */
const own = ['paging.ts', 'eventFields.ts', 'createEvent.ts']

test('no bound is written a second time: those of arguments come from the schemas of the nouns', () => {
  const files = globSync('api/mcp/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  assert.ok(files.length > 30)
  const written = files.filter((file) => /(?<!Math)\.(min|max|length|gte|lte)\(\d/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(
    written.filter((file) => !own.some((name) => file.endsWith(`/${name}`))),
    [],
  )
})
