import assert from 'node:assert/strict'
import { test } from 'vitest'
import { addressList, changedBody, dayOf, endOf } from './organizationKeyValues.ts'

test('a key works to the end of its last day, in the zone of the person', () => {
  assert.equal(endOf('2026-03-28', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z')
  for (const day of ['2026-03-28', '2026-03-29', '2026-10-25'])
    assert.equal(dayOf(endOf(day, 'Europe/Berlin'), 'Europe/Berlin'), day)
  assert.deepEqual([endOf('', 'UTC'), dayOf(null, 'UTC')], [null, ''])
})

test('only what was changed is sent, and an empty field takes away', () => {
  assert.deepEqual(addressList(' 192.0.2.1, 2001:db8::/32\n'), ['192.0.2.1', '2001:db8::/32'])
  assert.deepEqual(changedBody({ expires: '', addresses: ' ' }, 'UTC'), { expires_at: null, allowed_ips: null })
  assert.deepEqual(changedBody({ name: 'CI' }, 'UTC'), { name: 'CI' })
})
