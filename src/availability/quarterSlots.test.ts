import assert from 'node:assert/strict'
import { test } from 'vitest'
import { quarterFrom, quarterSlots } from './quarterSlots.ts'

const ms = (text: string) => Date.parse(text)
const minute = 60_000

test('slots begin at the quarter hours of each stretch, and follow each other', () => {
  const free = [ms('2026-03-03T09:01Z'), ms('2026-03-03T10:00Z'), ms('2026-03-03T11:00Z'), ms('2026-03-03T11:40Z')]
  const starts = (length: number, limit?: number) =>
    quarterSlots(free, length * minute, 'UTC', { limit })
      .filter((_, nth) => nth % 2 === 0)
      .map((start) => new Date(start).toISOString().slice(11, 16))
  assert.deepEqual(starts(20), ['09:15', '11:00'])
  assert.deepEqual(starts(15), ['09:15', '09:30', '09:45', '11:00', '11:15'])
  assert.deepEqual(starts(45), ['09:15'])
  assert.deepEqual(starts(15, 2), ['09:15', '09:30'])
})

test('a quarter hour is one of the wall clock', () => {
  const from = (text: string, zone: string) => new Date(quarterFrom(ms(text), zone)).toISOString()
  assert.equal(from('2026-03-03T09:01:00Z', 'Asia/Kathmandu'), '2026-03-03T09:15:00.000Z')
  assert.equal(from('2026-03-03T09:15:00Z', 'Europe/Berlin'), '2026-03-03T09:15:00.000Z')
  // Its mean time was 44 minutes and 30 seconds behind.
  assert.equal(from('1960-01-01T00:00:00Z', 'Africa/Monrovia'), '1960-01-01T00:14:30.000Z')
})
