import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'vitest'

const run = (...words: string[]) => {
  const program = `${import.meta.dirname}/large.ts`
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('more than the disk holds is refused before anything is started, with the need', () => {
  const { status, stdout, stderr } = run('--agents', '1000000000')
  assert.equal(status, 2)
  assert.match(
    stdout,
    /20,000,000,000 events.*\n.*\nThey need about \d{5} GB of disk in \S+, which has \d+ GB free\.\n$/s,
  )
  assert.equal(
    stderr,
    'agent-calendar: not enough disk: name another folder with TMPDIR, or fewer agents with --agents\n',
  )
})

test('asked for help it says what it does and starts nothing', () => {
  const { status, stdout, stderr } = run('--help')
  assert.deepEqual([status, stderr], [0, ''])
  for (const words of ['npm run trial -- large [operation …]', 'new event, hold, confirm', '--agents <number>']) {
    assert.ok(stdout.includes(words), words)
  }
})

for (const [words, line] of [
  [['--agents', '9999'], '--agents 9999: expected a whole number from 10000'],
  [['--rounds', 'many'], '--rounds many: expected a whole number from 1'],
  [['--agent', '10000'], "Unknown option '--agent'"],
] as const) {
  test(`${words.join(' ')} is refused with one line and exit code 2`, () => {
    const { status, stdout, stderr } = run(...words)
    assert.deepEqual([status, stdout, stderr], [2, '', `agent-calendar: ${line}\n`])
  })
}
