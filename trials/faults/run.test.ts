import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'vitest'
import { faults } from './faults.ts'

const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${import.meta.dirname}/run.ts`, ...words], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

test('asked for help it says what it does, which faults there are and what it takes, and starts nothing', () => {
  for (const word of ['--help', '-h']) {
    const { status, stdout, stderr } = run(word)
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^npm run faults -- \[fault …\]\n/)
    for (const { name, what } of faults) assert.match(stdout, new RegExp(`^  ${name} +${what}$`, 'm'))
    for (const word of ['--rate <number>', '--mcp']) assert.ok(stdout.includes(word), word)
  }
})

const refused: [words: string[], line: RegExp][] = [
  [['--nonsense'], /^agent-calendar: Unknown option '--nonsense'$/],
  [['kill-api', '-x'], /^agent-calendar: Unknown option '-x'$/],
  [['--rate'], /^agent-calendar: Option '--rate <value>' argument missing$/],
  [['--rate', 'many'], /^agent-calendar: --rate many: expected a number above 0$/],
  [['--rate', '0'], /^agent-calendar: --rate 0: expected a number above 0$/],
]
for (const [words, line] of refused) {
  test(`${words.join(' ')} is refused with one line and exit code 2`, () => {
    const { status, stdout, stderr } = run(...words)
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr.trimEnd(), line)
  })
}

test('a fault that there is not is refused with those that there are', () => {
  const { status, stderr } = run('kill-api', 'kill-everything')
  assert.equal(status, 2)
  assert.match(stderr, /^agent-calendar: there is no fault kill-everything\. There are:\n {2}kill-worker/)
})
