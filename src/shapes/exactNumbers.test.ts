import assert from 'node:assert/strict'
import { test } from 'vitest'
import { InexactNumber, parseExactly } from './exactNumbers.ts'

const kept = ['0', '-1', '1.50', '1E2', '1e+2', '0.1', '9007199254740992', '-9007199254740991']
kept.push(
  '1e21',
  '100000000000000000000000',
  '1.7976931348623157e308',
  '5e-324',
  '0.30000000000000004',
  '0e99999999999',
  '0.000',
)
for (const number of kept) {
  test(`${number} is kept`, () => {
    assert.deepEqual(parseExactly(`{"n":${number}}`), { n: Number(number) })
  })
}

const changed = [
  '900719925474099312345',
  '9007199254740993',
  '-9007199254740993',
  '1e400',
  '1E400',
  '-1e400',
  '1e-400',
  '-0',
]
changed.push(
  '-0.0',
  '-0e5',
  '0.1000000000000000055511151231257827',
  '0.12345678901234567891',
  '1234567890.12345678',
  '1e23456',
)
changed.push('1234567.12345678901')
for (const number of changed) {
  test(`${number} would change, wherever it stands`, () => {
    for (const text of [number, `[1, ${number}]`, `{"a":{"b":[\t${number}]}}`]) {
      assert.match(
        JSON.stringify(parseExactly(text), (_, value) => (value instanceof InexactNumber ? 'changed' : value)),
        /changed/,
      )
    }
  })
}

test('texts that look like numbers stay texts, and errors of the syntax stay errors', () => {
  const texts = { a: ' 900719925474099312345', b: ': 1e400', c: ',-0', d: '{"n": 1e400}' }
  assert.deepEqual(parseExactly(JSON.stringify(texts)), texts)
  assert.throws(() => parseExactly('{"n": 1e400,}'), SyntaxError)
  assert.throws(() => parseExactly('[-00]'), SyntaxError)
})

test('a deep body is parsed, whatever its numbers are', () => {
  const depth = 60_000
  assert.doesNotThrow(() => parseExactly(`${'['.repeat(depth)}1e400${']'.repeat(depth)}`))
})
