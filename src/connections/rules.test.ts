import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  type ConnectionStatus,
  isCovered,
  isGivenUp,
  isRefusalBelieved,
  judgeCopy,
  linkStatusAt,
  nextRead,
  remindAfter,
  statusAfter,
} from './rules.ts'

const now = new Date('2026-03-02T09:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test('the table of states', () => {
  const triggers = ['pause', 'resume', 'refused', 'authorized', 'unattended'] as const
  const table: Record<ConnectionStatus, (ConnectionStatus | undefined)[]> = {
    active: ['paused', 'active', 'reauthorization_required', 'active', undefined],
    paused: ['paused', 'active', undefined, 'paused', undefined],
    reauthorization_required: [undefined, undefined, undefined, 'active', 'disconnected'],
    disconnected: [undefined, undefined, undefined, undefined, undefined],
  }
  for (const [status, row] of Object.entries(table)) {
    assert.deepEqual(
      triggers.map((trigger) => statusAfter(status as ConnectionStatus, trigger)),
      row,
      status,
    )
  }
})

test('a link expires by the clock, unless it has ended otherwise', () => {
  const link = { status: 'in_progress' as const, expiresAt: now }
  assert.equal(linkStatusAt(link, ago(1)), 'in_progress')
  assert.equal(linkStatusAt(link, now), 'expired')
  assert.equal(linkStatusAt({ ...link, status: 'completed' }, now), 'completed')
})

test('the age of a copy', () => {
  const copy = { isActive: true, lastReadAt: ago(20), unreadSince: null }
  assert.equal(judgeCopy(copy, now), 'current')
  assert.equal(judgeCopy({ ...copy, lastReadAt: new Date(ago(20).getTime() - 1) }, now), 'usable')
  assert.equal(judgeCopy({ ...copy, isActive: false }, now), 'usable')
  assert.equal(judgeCopy({ ...copy, unreadSince: ago(1) }, now), 'current')
  assert.equal(judgeCopy({ ...copy, unreadSince: new Date(ago(1).getTime() - 1) }, now), 'usable')
  assert.equal(judgeCopy({ ...copy, lastReadAt: ago(24 * 60) }, now), 'usable')
  assert.equal(judgeCopy({ ...copy, lastReadAt: new Date(ago(24 * 60).getTime() - 1) }, now), 'missing')
  assert.equal(judgeCopy({ ...copy, lastReadAt: null }, now), 'missing')
})

test('a copy answers for 31 days back and 400 ahead, and for no more than it has', () => {
  const day = 86_400_000
  const all = { coversFrom: new Date(0), coversUntil: new Date(now.getTime() + 500 * day) }
  const asked = (from: number, to: number) => ({ fromMs: now.getTime() + from * day, toMs: now.getTime() + to * day })
  assert.equal(isCovered(asked(-31, 400), all, now), true)
  assert.equal(isCovered({ ...asked(-31, 400), fromMs: asked(-31, 0).fromMs - 1 }, all, now), false)
  assert.equal(isCovered({ ...asked(0, 400), toMs: asked(0, 400).toMs + 1 }, all, now), false)
  assert.equal(isCovered(asked(0, 2), { ...all, coversUntil: new Date(now.getTime() + day) }, now), false)
})

test('when the next read is', () => {
  const inMs = (end: Parameters<typeof nextRead>[0], random: number) =>
    nextRead(end, now, random).at.getTime() - now.getTime()
  assert.deepEqual(
    [inMs({ kind: 'read', isWatched: false }, 0), inMs({ kind: 'read', isWatched: false }, 0.5)],
    [270_000, 300_000],
  )
  const failed = (failures: number) => inMs({ kind: 'failed', failures }, 0.999_999)
  assert.deepEqual([failed(1), failed(2), failed(10)], [30_000, 60_000, 300_000])
  const limited = { kind: 'rate_limited', failures: 2 } as const
  assert.deepEqual(
    [limited, { ...limited, retryAfterMs: 7_000 }, { ...limited, retryAfterMs: 9e9 }].map((end) =>
      inMs({ retryAfterMs: undefined, ...end }, 0),
    ),
    [60_000, 7_000, 3_600_000],
  )
  assert.equal(nextRead({ ...limited, retryAfterMs: undefined }, now, 0).isThrottled, true)
})

test('a refusal is believed when it repeats after five minutes; then a mail, another one, and the end', () => {
  assert.deepEqual(
    [null, ago(4), ago(5)].map((at) => isRefusalBelieved(at, now)),
    [false, false, true],
  )
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
  assert.deepEqual([remindAfter(now, now), remindAfter(now, days(7))], [days(7), days(90)])
  assert.deepEqual([isGivenUp(now, days(89)), isGivenUp(now, days(90))], [false, true])
})
