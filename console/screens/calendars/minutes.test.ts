import assert from 'node:assert/strict'
import { test } from 'vitest'
import { minutesOf, minutesText } from './minutes.ts'

test('reminders are minutes with commas', () => {
  assert.deepEqual([minutesOf('10, 60'), minutesOf(' '), minutesOf('ten')], [[10, 60], [], ['ten']])
  assert.deepEqual([minutesText([10, 60]), minutesText(null)], ['10, 60', ''])
})
