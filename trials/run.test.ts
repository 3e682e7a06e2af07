import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'vitest'

const run = (...words: string[]) => {
  const program = `${import.meta.dirname}/run.ts`
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('without a name the trials are listed, and nothing is started', () => {
  const { status, stdout, stderr } = run()
  assert.deepEqual([status, stderr], [0, ''])
  const names = [...stdout.matchAll(/^ {2}(\w[\w-]*(?: [a-z][\w-]*)?)/gm)].map((match) => match[1])
  const scaling = ['redis-cluster', 'redis-sentinel', 'rolling-restart', 'suite'].map((shape) => `scaling ${shape}`)
  assert.deepEqual(names, [
    'faults',
    'failover',
    'bench',
    'heavy-reads',
    'idle',
    'console',
    'drill',
    'feed large',
    'feed',
    'large',
    'human-calendars',
    'retries',
    'restore',
    'upgrade',
    'image',
    ...scaling,
  ])
})

test('a name that there is not is refused with those that there are', () => {
  const { status, stdout, stderr } = run('nonsense', 'kill-api')
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^agent-calendar: there is no trial nonsense kill-api\n\nnpm run trial -- <name>\n\n {2}faults/)
})

for (const [words, refusal] of [
  [['faults', 'no-fault'], 'there is no fault no-fault.'],
  [['bench', 'no-bench'], 'there is no benchmark no-bench.'],
  [['human-calendars', '99'], 'there is no goal 99. Goals: '],
  [['drill', 'NoAlert'], 'there is no alert NoAlert.'],
  [['large', 'no-operation'], 'there is no operation no-operation. There are: new event, hold, '],
  [['upgrade', 'no-commit'], 'there is no commit no-commit'],
  [['scaling', 'suite', 'no-store'], 'name one of pgbouncer, redis-cluster, redis-sentinel'],
] as const) {
  test(`${words.join(' ')} is read by the trial itself`, () => {
    const { status, stderr } = run(...words)
    assert.equal(status, 2)
    assert.ok(stderr.startsWith(`agent-calendar: ${refusal}`), stderr)
  })
}
