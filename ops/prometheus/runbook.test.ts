// The commands and statements of the runbook work with the current schema and tools.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceTest } from '../../src/testing/test.ts'
import { commands } from '../cli/commands.ts'

const test = serviceTest()
const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8')

const someId = `'00000000-0000-0000-0000-000000000000'`

/** Those in blocks and in sentences, with something in the place of what the reader fills in. */
const statements = [
  ...[...runbook.matchAll(/```sql\n(.*?)```/gs)].flatMap(([, block]) => block!.split(/;\s*\n/)),
  ...[...runbook.matchAll(/`((?:select|update) [^`]+)`/g)].map(([, sentence]) => sentence!),
]
  .map((text) => text.replaceAll(/\s+/g, ' ').trim())
  .filter(Boolean)
  .map((text) => text.replaceAll(/'(?:<\w+>|…)'/g, someId).replaceAll(/<\w+>/g, '1'))

test('each statement of the runbook can be run', async ({ service }) => {
  assert.ok(statements.length >= 12, `${statements.length}`)
  for (const statement of statements) {
    await service.app.sql.unsafe(`explain ${statement}`).catch((error) => assert.fail(`${error.message}: ${statement}`))
  }
})

test("each of the operator's commands in the runbook exists", () => {
  const named = [...runbook.matchAll(/(?:npm run ops --|node ops\/cli\/main\.ts) ([a-z]+)(?: ([a-z]+)(?![\w_]))?/g)]
  const exists = ([, noun, verb]: RegExpMatchArray) =>
    commands.some(({ name }) => name === noun || name === `${noun} ${verb}`)
  assert.ok(named.length >= 8)
  assert.deepEqual(
    named.filter((one) => !exists(one)).map(([words]) => words),
    [],
  )
})
