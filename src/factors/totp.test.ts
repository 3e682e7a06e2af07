import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newSecret, otpauthUrl, stepOf } from './totp.ts'

/** The secret of RFC 6238, appendix B, and the last six digits of its values for SHA-1. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
] as const

const at = (seconds: number) => new Date(seconds * 1000)

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of vectors) assert.equal(stepOf(secret, code, at(seconds)), Math.floor(seconds / 30), code)
})

test('a code counts for its step, the one before and the one after', () => {
  const [seconds, code] = vectors[4]
  const begin = Math.floor(seconds / 30) * 30
  const step = begin / 30
  for (const later of [-30, -1, 0, 29, 30, 59]) assert.equal(stepOf(secret, code, at(begin + later)), step, `${later}`)
  for (const later of [-61, -31, 60, 90]) assert.equal(stepOf(secret, code, at(begin + later)), undefined, `${later}`)
})

test('a secret has 160 bits, and no two are alike', () => {
  const [one, other] = [newSecret(), newSecret()]
  assert.match(one, /^[A-Z2-7]{32}$/)
  assert.notEqual(one, other)
})

test('the address for an app names the account and the kind of the codes', () => {
  const url = new URL(otpauthUrl(secret, 'ada+x@example.com'))
  assert.deepEqual(
    [url.protocol, url.host, decodeURIComponent(url.pathname)],
    ['otpauth:', 'totp', '/agent-calendar:ada+x@example.com'],
  )
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    issuer: 'agent-calendar',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
