import assert from 'node:assert/strict'
import { test } from 'vitest'
import { periodAt, periodMs, secondsLeft } from './period.ts'

const createdAt = new Date('2026-01-31T10:30:00.000Z')
const day = 24 * 60 * 60 * 1000
const at = (ms: number) => {
  const { start, end } = periodAt(createdAt, new Date(createdAt.getTime() + ms))
  return [start.toISOString(), end.toISOString()]
}

const first = ['2026-01-31T10:30:00.000Z', '2026-03-02T10:30:00.000Z']
const second = ['2026-03-02T10:30:00.000Z', '2026-04-01T10:30:00.000Z']

test('the first period begins with the organization and lasts 30 days', () => {
  assert.deepEqual(at(0), first)
  assert.deepEqual(at(15 * day), first)
})

test('a period ends where the next one begins: the last millisecond belongs to the old one', () => {
  assert.deepEqual(at(30 * day - 1), first)
  assert.deepEqual(at(30 * day), second)
})

test('periods roll on for years without drifting', () => {
  const [start] = at(40 * 30 * day + 1)
  assert.equal(start, new Date(createdAt.getTime() + 40 * 30 * day).toISOString())
})

test('a clock behind the creation counts as the first period', () => {
  assert.deepEqual(at(-1), first)
})

test('the window is 30 days', () => {
  assert.equal(periodMs / 1000, 2_592_000)
})

test('what is left is told in whole seconds, rounded up, and never below one', () => {
  const end = new Date('2026-03-02T10:30:00.000Z')
  const left = (ms: number) => secondsLeft({ end }, new Date(end.getTime() - ms))
  assert.equal(left(60_000), 60)
  assert.equal(left(59_001), 60)
  assert.equal(left(1), 1)
  assert.equal(left(0), 1)
  assert.equal(left(-5_000), 1)
})
