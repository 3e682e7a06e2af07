import assert from 'node:assert/strict'
import { test } from 'vitest'
import { planIds, plans } from '../plans/plans.ts'
import { jobs } from '../wakeups/jobs.ts'
import { leaseOrRetryMs } from './count.ts'
import { deadlineMs } from './outcome.ts'
import { failuresAfter, isSuccess, nextStep } from './rules.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

test('success is any 2xx and nothing else', () => {
  for (const status of [200, 201, 202, 204, 206, 299]) assert.equal(isSuccess(status), true, String(status))
  for (const status of [0, 100, 199, 300, 301, 302, 304, 307, 400, 404, 410, 429, 500, 503]) {
    assert.equal(isSuccess(status), false, String(status))
  }
})

test('free retries after 1, 5 and 30 minutes, then gives up', () => {
  const steps = [1, 2, 3, 4].map((attempts) =>
    nextStep({ delivered: false }, attempts, plans.free.retryScheduleSeconds, now),
  )
  assert.deepEqual(steps, [
    { kind: 'retry', at: minutesLater(1) },
    { kind: 'retry', at: minutesLater(5) },
    { kind: 'retry', at: minutesLater(30) },
    { kind: 'failed' },
  ])
})

test('failures in a row do not become fewer by an answer that comes late, only by a success', () => {
  assert.equal(failuresAfter(20, false, 30), 30)
  assert.equal(failuresAfter(30, false, 20), 30)
  // A result that a later claim overtook says nothing.
  assert.equal(failuresAfter(30, false, 0), 30)
  assert.equal(failuresAfter(30, true, 0), 0)
  // A success and a failure after it, recorded together.
  assert.equal(failuresAfter(30, true, 1), 1)
})

test('an attempt under way is told from one that waits for its retry, whatever the plan', () => {
  assert.ok(jobs.deliver.leaseMs < leaseOrRetryMs, 'the lease of an attempt is shorter')
  assert.ok(deadlineMs < jobs.deliver.leaseMs, 'an attempt ends within its lease')
  for (const plan of planIds) {
    const failed = { delivered: false }
    for (const attempts of plans[plan].retryScheduleSeconds.keys()) {
      const step = nextStep(failed, attempts + 1, plans[plan].retryScheduleSeconds, now)
      assert.ok(step.kind === 'retry' && step.at.getTime() - now.getTime() > leaseOrRetryMs, `${plan} ${attempts}`)
    }
  }
})

test('pro and custom retry seven times, the last time after twelve hours', () => {
  const minutes = [1, 5, 30, 60, 120, 360, 720]
  for (const plan of ['pro', 'custom'] as const) {
    const { retryScheduleSeconds } = plans[plan]
    for (const [index, wait] of minutes.entries()) {
      assert.deepEqual(nextStep({ delivered: false }, index + 1, retryScheduleSeconds, now), {
        kind: 'retry',
        at: minutesLater(wait),
      })
    }
    assert.deepEqual(nextStep({ delivered: false }, 8, retryScheduleSeconds, now), { kind: 'failed' })
  }
})

test('the tiers of self-signup retry as free does', () => {
  assert.deepEqual(plans['free-agent'].retryScheduleSeconds, plans.free.retryScheduleSeconds)
  assert.deepEqual(plans['free-agent-unverified'].retryScheduleSeconds, plans.free.retryScheduleSeconds)
})

test('a success ends a delivery at any attempt', () => {
  for (const attempts of [1, 4, 8]) {
    assert.deepEqual(nextStep({ delivered: true }, attempts, plans.free.retryScheduleSeconds, now), {
      kind: 'delivered',
    })
  }
})
