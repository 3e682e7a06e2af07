import assert from 'node:assert/strict'
import { test } from 'vitest'
import { endsSoon } from './soon.ts'

test('a key that ends within seven days needs attention', () => {
  const now = new Date('2026-12-01T10:00:00Z')
  const ends = [null, undefined, '2026-12-08T10:00:00Z', '2026-12-08T10:00:01Z']
  assert.deepEqual(
    ends.map((end) => endsSoon(end, now)),
    [false, false, true, false],
  )
})
