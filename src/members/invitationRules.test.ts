import assert from 'node:assert/strict'
import { test } from 'vitest'
import { givenRoles, invitationStatusAt } from './invitationRules.ts'

test('a pending invitation has expired from its last instant on; an ended one stays what it is', () => {
  const expiresAt = new Date('2026-03-09T09:00:00Z')
  const at = (ms: number) => new Date(expiresAt.getTime() + ms)
  assert.equal(invitationStatusAt({ status: 'pending', expiresAt }, at(-1)), 'pending')
  assert.equal(invitationStatusAt({ status: 'pending', expiresAt }, at(0)), 'expired')
  for (const status of ['accepted', 'revoked', 'expired'] as const) {
    assert.equal(invitationStatusAt({ status, expiresAt }, at(1)), status)
  }
})

test('members invite up to their own role, from admins on', () => {
  assert.deepEqual(givenRoles('owner'), ['owner', 'admin', 'developer', 'viewer'])
  assert.deepEqual(givenRoles('admin'), ['admin', 'developer', 'viewer'])
  assert.deepEqual(givenRoles('developer'), [])
  assert.deepEqual(givenRoles('viewer'), [])
})
