import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { requireTools } from './debian.ts'
import { haproxyOf, patroniOf } from './examples.ts'
import type { ClusterFault } from './fault.ts'
import { toldTwice } from './lost.ts'
import { brokenPromises, measure } from './measures.ts'

const run = (words: string[]) => {
  const program = `${import.meta.dirname}/run.ts`
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

test('a fault that there is not is refused with exit code 2, and nothing is started', () => {
  const { status, stdout, stderr } = run(['no-fault'])
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^agent-calendar: there is no fault no-fault\. There are:\n {2}kill-postgres/)
})

test('without root it says what it needs', () => {
  assert.throws(() => requireTools(1000), /^Error: the trial needs root on Linux/)
})

const example = (file: string) => readFileSync(new URL(`../../ops/${file}`, import.meta.url), 'utf8')
const addresses = ['10.9.0.11', '10.9.0.12', '10.9.0.13']

test('the examples take the addresses of a trial, each node its own, and nothing else changes', () => {
  const given = example('patroni/patroni.yml')
  const text = patroniOf(given, { name: 'db2', addresses, subnet: '10.9.0.0/24' })
  assert.ok(!text.includes('127.0.0.'))
  assert.match(text, /^name: db2$/m)
  assert.match(text, /^ {2}listen: 10\.9\.0\.12:5432$/m)
  assert.match(text, /^ {2}hosts: 10\.9\.0\.11:2379,10\.9\.0\.12:2379,10\.9\.0\.13:2379$/m)
  assert.match(text, /^ {4}ttl: 20$/m)
  assert.equal(text.split('\n').length, given.split('\n').length)
  const timing = { ttl: 30, loopWait: 2, retryTimeout: 10 }
  assert.match(patroniOf(given, { name: 'db1', addresses, subnet: '10.9.0.0/24', timing }), /^ {4}ttl: 30$/m)
  const balancer = haproxyOf(example('haproxy/haproxy.cfg'), addresses)
  assert.match(balancer, /server db3 10\.9\.0\.13:5432 maxconn 200 check port 8008/)
})

const call = (at: number, status: number, path = 'POST /v1/events', ms = 10) => ({ at, ms, status, path })

test('the longest time without an acknowledged write, failed requests and lost places are measured', () => {
  const calls = [call(0, 201), call(500, 503), call(1_000, 503), call(2_000, 201), call(2_100, 410, 'GET /v1/changes')]
  const { pauseMs, failedShare, gone } = measure(calls, 0, 2_500)
  assert.deepEqual([pauseMs, failedShare, gone], [2_000, 0.4, 1])
  assert.equal(measure([call(0, 201), call(500, 503)], 0, 9_000).pauseMs, 8_990)
  assert.equal(measure([call(0, 200, 'GET /v1/agents', 70)], 0, 9_000).readsMs, 70)
})

test('a promise that was broken is named, with what was measured', () => {
  const fault: ClusterFault = {
    name: 'one',
    what: '',
    withinMs: 5_000,
    readsWithinMs: 1_000,
    failedShare: 0.01,
    run: async () => {},
  }
  const kept = { pauseMs: 5_000, readsMs: 1_000, slowReads: [], failedShare: 0.01, gone: 9, processes: 120 }
  assert.deepEqual(brokenPromises(fault, kept, 100), [])
  const broken = { ...kept, pauseMs: 5_100, readsMs: 1_100, failedShare: 0.02, processes: 121 }
  assert.deepEqual(brokenPromises(fault, broken, 100).length, 4)
  assert.deepEqual(brokenPromises(fault, { ...kept, readsMs: 1_900 }, 1_000), [])
})

test('a moment under two delivery ids was told twice, a repetition of one was not', () => {
  const body = JSON.stringify({ event_id: 'evt_1', type: 'event.started', start_time: '2026-12-01T09:00:00Z' })
  assert.equal(toldTwice(new Map([['whd_1', [{ body }, { body }]]])), 0)
  assert.equal(
    toldTwice(
      new Map([
        ['whd_1', [{ body }]],
        ['whd_2', [{ body }]],
      ]),
    ),
    1,
  )
  const edited = JSON.stringify({ event_id: 'evt_1', type: 'event.updated', start_time: '2026-12-01T09:00:00Z' })
  const edits = new Map(['whd_1', 'whd_2'].map((id) => [id, [{ body: edited }]]))
  assert.equal(toldTwice(edits), 0)
})
