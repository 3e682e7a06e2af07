import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { oddWordings } from './plainEnglish.ts'

const linesOf = (source: string) => oddWordings(source).map(({ line }) => line)

test.each([
  ['// What is due is claimed.'],
  ['/** Whoever reads it is told. */'],
  ['/** Frees the row. Nobody waits for it. */'],
  ['/** `none`: Nobody asked. */'],
  ['const x = 1\n/**\n * Keeps the row.\n * What is left goes.\n */'],
  ['// A key of a session is none.'],
  ['// The secret of before signs too.'],
  ['// Reads until there is no more.'],
  ["const message = 'What is busy offers no slot.'"],
  ['throw conflict("Nobody may change this event.")'],
  ['sql`\n  -- What is locked waits.\n  select 1`'],
])('finds %s', (source) => {
  assert.equal(oddWordings(source).length, 1)
})

test.each([
  ['/** What happens then? The caller decides. */'],
  ['// If there is none, the default counts.'],
  ['/** Undefined where there\n * is none. */'],
  ["const heading = 'What it does'"],
  ["const prompt = 'What is free on Friday?'"],
  ['// The caller knows what is due, and nobody else does.'],
  ['const whatever = is.none // a name'],
  ["const key = 'Nobody'"],
])('allows %s', (source) => {
  expect(oddWordings(source)).toEqual([])
})

test('names the line at which a comment begins', () => {
  assert.deepEqual(linesOf('const a = 1\n// Takes it.\n// What is left\n// is due again.\n'), [2])
})
