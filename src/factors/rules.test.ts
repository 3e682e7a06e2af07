import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newRecoveryCodes } from './recoveryCodes.ts'
import { readCode } from './rules.ts'

test('blanks, hyphens and case of a code do not matter', () => {
  for (const text of ['123456', ' 123 456 ', '123-456', '1 2 3 4 5 6', '123\t456\n'])
    assert.deepEqual(readCode(text), { kind: 'totp', digits: '123456' }, text)
  for (const text of ['x7k2m-9pqrt', 'X7K2M-9PQRT', ' x7k2m 9pqrt ', 'x7k2m9pqrt'])
    assert.deepEqual(readCode(text), { kind: 'recovery', letters: 'x7k2m9pqrt' }, text)
})

test('any other text is no code', () => {
  for (const text of [
    '',
    ' ',
    '12345',
    '1234567',
    '１２３４５６',
    'x7k2m-9pqr',
    'x7k2m-9pqrtt',
    'o7k2m-9pqrt',
    'x7k2m-9pqr1',
    '0000000000',
  ])
    assert.equal(readCode(text), undefined, text)
})

test('recovery codes are ten different ones, in the form that is read', () => {
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) {
    assert.match(code, /^[0-9a-z]{5}-[0-9a-z]{5}$/)
    assert.deepEqual(readCode(code), { kind: 'recovery', letters: code.replace('-', '') })
  }
})
