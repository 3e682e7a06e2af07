import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'vitest'
import { signature } from './signature.ts'

// printf '1772442000.{"a":"ü"}' | openssl dgst -sha256 -hmac whsec_dGVzdA==
const known = 'sha256=7d2c502a562f7ce3a64f797edf0704eb1076dfa61092640bdd7cf4a63c974afa'

test('the signature is the HMAC-SHA256 of time, dot and body, as openssl computes it', () => {
  assert.equal(signature('whsec_dGVzdA==', '1772442000', '{"a":"ü"}'), known)
  assert.equal(signature(createSecretKey('whsec_dGVzdA==', 'utf8'), '1772442000', '{"a":"ü"}'), known)
})

test('another secret, time or body signs differently', () => {
  const others = [
    signature('whsec_dGVzdB==', '1772442000', '{"a":"ü"}'),
    signature('whsec_dGVzdA==', '1772442001', '{"a":"ü"}'),
    signature('whsec_dGVzdA==', '1772442000', '{"a":"u"}'),
  ]
  assert.equal(new Set([known, ...others]).size, 4)
})
