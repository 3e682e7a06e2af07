import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openSealer, randomToken, sha256 } from './sealer.ts'

const old = { id: 'k1', secret: Buffer.alloc(32, 1) }
const current = { id: 'key-2', secret: Buffer.alloc(32, 2) }
const place = 'events.title:0190163d-8694-739b-aea5-966c26f8ad91'
const text = 'Board meeting, room 4 — “Überraschung” 🎂'

test('what was sealed opens in its place', () => {
  const sealer = openSealer([old])
  assert.equal(sealer.unseal(place, sealer.seal(place, text)), text)
  assert.equal(sealer.unseal(place, sealer.seal(place, '')), '')
})

test('the text cannot be seen in what is stored, and the same text never looks the same twice', () => {
  const sealer = openSealer([old])
  const [one, two] = [sealer.seal(place, text), sealer.seal(place, text)]
  assert.ok(!one.toString('latin1').includes('Board'))
  assert.notDeepEqual(one, two)
})

test('it opens nowhere else: not in another row, column or table', () => {
  const sealer = openSealer([old])
  const sealed = sealer.seal(place, text)
  const others = [
    'events.title:0190163d-8694-739b-aea5-966c26f8ad92',
    'events.description:0190163d-8694-739b-aea5-966c26f8ad91',
    'webhook_subscriptions.title:0190163d-8694-739b-aea5-966c26f8ad91',
  ] as const
  for (const other of others) assert.throws(() => sealer.unseal(other, sealed), /authenticate/)
})

test('a bit changed anywhere is noticed', () => {
  const sealer = openSealer([old])
  const sealed = sealer.seal(place, 'short')
  for (let nth = 0; nth < sealed.length; nth++) {
    const changed = Buffer.from(sealed)
    changed[nth]! ^= 1
    assert.throws(() => sealer.unseal(place, changed), `byte ${nth}`)
  }
})

test('what is cut off is noticed', () => {
  const sealer = openSealer([old])
  const sealed = sealer.seal(place, text)
  for (const length of [0, 1, 10, 20, sealed.length - 1]) {
    assert.throws(() => sealer.unseal(place, sealed.subarray(0, length)), `${length} bytes`)
  }
})

test('a tag of which only the beginning is there opens nothing', () => {
  const sealer = openSealer([old])
  const sealed = sealer.seal(place, '')
  for (let cut = 1; cut <= 16; cut++) {
    assert.throws(() => sealer.unseal(place, sealed.subarray(0, sealed.length - cut)), `a tag of ${16 - cut} bytes`)
  }
})

test('after a rotation the new key seals, and what the old one sealed still opens', () => {
  const before = openSealer([old])
  const after = openSealer([current, old])
  assert.equal(after.unseal(place, before.seal(place, text)), text)
  const sealed = after.seal(place, text)
  assert.equal(openSealer([current]).unseal(place, sealed), text)
  assert.throws(() => before.unseal(place, sealed), /no encryption key with the id "key-2".*ENCRYPTION_KEYS/)
})

test('another key under the same name opens nothing', () => {
  const sealed = openSealer([old]).seal(place, text)
  assert.throws(() => openSealer([{ id: 'k1', secret: Buffer.alloc(32, 9) }]).unseal(place, sealed), /authenticate/)
})

test('a part of a larger buffer opens, as a driver hands it over', () => {
  const sealer = openSealer([old])
  const sealed = sealer.seal(place, text)
  const larger = Buffer.concat([Buffer.alloc(7), sealed, Buffer.alloc(5)])
  assert.equal(sealer.unseal(place, new Uint8Array(larger.buffer, larger.byteOffset + 7, sealed.length)), text)
})

test('an empty ring is refused at once', () => {
  assert.throws(() => openSealer([]), /key ring is empty/)
})

test('a token is 32 random bytes that need no escaping', () => {
  const [one, two] = [randomToken(), randomToken()]
  assert.match(one, /^[A-Za-z0-9_-]{43}$/)
  assert.notEqual(one, two)
  assert.equal(randomToken(24).length, 32)
})

test('hashes are SHA-256 of the UTF-8 text', () => {
  assert.equal(sha256('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
