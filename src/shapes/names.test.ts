import assert from 'node:assert/strict'
import { test } from 'vitest'
import { shownName } from './names.ts'

test('a name of a stranger is one line of at most 60 characters', () => {
  assert.equal(shownName('Example Robotics'), 'Example Robotics')
  assert.equal(shownName(' Evil\r\nBcc: a@example.com\u2028\u0000 '), 'Evil Bcc: a@example.com')
  assert.equal(shownName('x'.repeat(60)), 'x'.repeat(60))
  assert.equal(shownName('x'.repeat(61)), `${'x'.repeat(59)}…`)
  assert.equal([...shownName('𝒳'.repeat(100))].length, 60)
})
