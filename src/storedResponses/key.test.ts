import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { fingerprintOf, readKey, responseKeyOf } from './key.ts'

test('a key is 1 to 255 visible ASCII characters; a pair of quotes around it does not count', () => {
  assert.equal(readKey(['k']), 'k')
  assert.equal(readKey(['"k"']), 'k')
  assert.equal(readKey(['"']), '"')
  assert.equal(readKey(['""k""']), '"k"')
  assert.equal(readKey(['~'.repeat(255)]), '~'.repeat(255))
  assert.equal(readKey([`"${'~'.repeat(255)}"`]), '~'.repeat(255))
})

test('anything else is refused, and so is a header that comes twice', () => {
  const wrong = [[], [''], ['""'], ['a b'], ['\t'], ['é'], ['\x7f'], ['~'.repeat(256)], ['k', 'k']]
  for (const sent of wrong) {
    assert.throws(() => readKey(sent), {
      type: 'validation_error',
      detail: { param: 'Idempotency-Key', code: undefined },
    })
  }
})

const asked = { method: 'POST', path: '/v1/agents', query: 'a=1&b=2', ifMatch: undefined, body: { x: [1, { y: 2 }] } }

test('the order of query parameters and of fields does not make another request', () => {
  const body = { b: { d: 1, c: [{ f: 1, e: 2 }] }, a: 2 }
  const same = { a: 2, b: { c: [{ e: 2, f: 1 }], d: 1 } }
  const { query } = asked
  assert.deepEqual(fingerprintOf({ ...asked, body }), fingerprintOf({ ...asked, body: same }))
  assert.deepEqual(fingerprintOf({ ...asked, query }), fingerprintOf({ ...asked, query: 'b=2&a=1' }))
  assert.deepEqual(fingerprintOf({ ...asked, body: undefined }), fingerprintOf({ ...asked, body: {} }))
})

test('everything else does', () => {
  const others = [
    { ...asked, method: 'PATCH' },
    { ...asked, path: '/v1/agents/' },
    { ...asked, query: 'a=1' },
    { ...asked, query: 'a=2&b=1' },
    { ...asked, ifMatch: '"tag"' },
    { ...asked, body: { x: [{ y: 2 }, 1] } },
    { ...asked, body: { x: [1, { y: '2' }] } },
    { ...asked, body: { x: [1, { y: null }] } },
    { ...asked, body: { x: { 0: 1, 1: { y: 2 } } } },
    { ...asked, body: { x: { fields: [['0', 1]] } } },
    { ...asked, body: [] },
  ]
  const all = [asked, ...others].map((one) => fingerprintOf(one).toString('hex'))
  assert.equal(new Set(all).size, all.length)
})

test('a key belongs to whoever sent it', () => {
  const [orgId, agentId] = [newId(), newId()]
  const { id } = responseKeyOf(orgId, orgId, 'k', asked)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(responseKeyOf(orgId, orgId, 'k', { ...asked, method: 'PUT' }).id, id)
  assert.notEqual(responseKeyOf(orgId, agentId, 'k', asked).id, id)
  assert.notEqual(responseKeyOf(orgId, orgId, 'l', asked).id, id)
})
