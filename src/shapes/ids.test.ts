import assert from 'node:assert/strict'
import { TypeID } from 'typeid-js'
import { v4 } from 'uuid'
import { test } from 'vitest'
import { decodeId, encodeId, newId, newPublicId, type PublicId, prefixes, type Uuid } from './ids.ts'

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057' as Uuid
const typeId = 'evt_01h455vb4pex5vsknk084sn02q'

test('an identifier is its prefix and 26 characters of base32', () => {
  assert.equal(encodeId('evt', uuid), typeId)
  assert.equal(decodeId('evt', typeId), uuid)
})

test('the two forms, and the kinds of what is shown, cannot be mixed up: it would not compile', () => {
  const inside = (id: Uuid) => id
  const shown = (id: PublicId<'evt'>) => id
  const event = encodeId('evt', uuid)
  assert.deepEqual([inside(uuid), shown(event)], [uuid, event])
  // @ts-expect-error what is shown is no UUID
  inside(event)
  // @ts-expect-error nor is what a caller sends
  inside(typeId as string)
  // @ts-expect-error it is not encoded twice
  encodeId('evt', event)
  // @ts-expect-error a UUID is not shown
  shown(uuid)
  // @ts-expect-error nor is a calendar where an event is meant
  shown(encodeId('cal', uuid))
})

test('every kind goes out and comes back', () => {
  for (const prefix of prefixes) {
    const id = newId()
    const shown = encodeId(prefix, id)
    assert.match(shown, new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
    assert.equal(decodeId(prefix, shown), id)
  }
})

test('an identifier is what the reference implementation makes of any UUID', () => {
  const edges = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', uuid]
  for (const any of [...edges, ...Array.from({ length: 1_000 }, () => v4())] as Uuid[]) {
    const shown = encodeId('evt', any)
    assert.equal(shown, TypeID.fromUUID('evt', any).toString())
    assert.equal(decodeId('evt', shown), any)
  }
})

test('new identifiers are UUIDv7, ascending in the order they were made, inside and outside', () => {
  const made = Array.from({ length: 2_000 }, newId)
  assert.ok(made.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)))
  assert.deepEqual(made, [...new Set(made)].sort())
  const shown = made.map((id) => encodeId('evt', id))
  assert.deepEqual(shown, [...shown].sort())
})

test('an identifier that is only shown is one as any other, in their order', () => {
  const made = Array.from({ length: 6_000 }, (_, nth) =>
    nth % 3 === 0 ? encodeId('req', newId()) : newPublicId('req'),
  )
  assert.deepEqual(made, [...new Set(made)].sort())
  const inside = made.map((id) => decodeId('req', id) ?? assert.fail(id))
  for (const id of inside) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  const now = Date.now()
  const ages = inside.map((id) => now - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
  assert.ok(Math.max(...ages) < 60_000 && Math.min(...ages) > -60_000)
  // Every random bit is 0 in some and 1 in others.
  const bits = inside.map((id) => BigInt(`0x${id.replaceAll('-', '')}`))
  for (let bit = 0n; bit < 62n; bit++) {
    const ones = bits.filter((one) => (one >> bit) & 1n).length
    assert.ok(ones > 2_500 && ones < 3_500, `bit ${bit}: ${ones} of 6000`)
  }
})

const malformed = {
  'of another kind': typeId.replace('evt', 'cal'),
  'without a prefix': typeId.slice(4),
  'in capitals': typeId.toUpperCase(),
  'with capital letters behind the prefix': `evt_${typeId.slice(4).toUpperCase()}`,
  'a character short': typeId.slice(0, -1),
  'a character long': `${typeId}0`,
  'above 128 bits': `evt_8${typeId.slice(5)}`,
  'with a letter that base32 leaves out': `${typeId.slice(0, -1)}l`,
  'with a line break behind it': `${typeId}\n`,
  'with another separator': typeId.replace('_', '-'),
  'as the UUID': uuid,
  empty: '',
  'of any length': 'evt_'.repeat(5_000),
}
for (const [how, text] of Object.entries(malformed)) {
  test(`an identifier ${how} is none`, () => {
    assert.equal(decodeId('evt', text), undefined)
  })
}
