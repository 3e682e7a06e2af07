import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ServiceError } from '../errors.ts'
import { reauthenticationOf, requireReauthentication } from './reauthentication.ts'

const now = new Date('2026-03-02T09:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const alone = { reauthenticatedAt: null as Date | null, hasPassword: true, hasFactor: false, hasCompany: false }

/** The methods that the refusal names; undefined: it is not refused. */
function refused(facts: Partial<typeof alone>, asks: 'always' | 'base') {
  try {
    requireReauthentication({ reauthentication: reauthenticationOf({ ...alone, ...facts }) }, asks, now)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ServiceError)
    assert.deepEqual([error.status, error.type, error.detail.code], [403, 'forbidden', 'reauthentication_required'])
    return (error.detail.help as { methods: string[] }).methods
  }
}

test('it counts for ten minutes', () => {
  assert.deepEqual(refused({}, 'always'), ['password'])
  assert.equal(refused({ reauthenticatedAt: ago(9.99) }, 'always'), undefined)
  assert.deepEqual(refused({ reauthenticatedAt: ago(10) }, 'always'), ['password'])
})

test('base acts ask only with a second member or a second factor', () => {
  assert.equal(refused({}, 'base'), undefined)
  assert.deepEqual(refused({ hasCompany: true }, 'base'), ['password'])
  assert.deepEqual(refused({ hasFactor: true }, 'base'), ['code'])
  assert.equal(refused({ hasFactor: true, reauthenticatedAt: ago(1) }, 'base'), undefined)
})

test('a second factor takes a code alone, and without it the password, else the provider', () => {
  assert.deepEqual(refused({ hasFactor: true }, 'always'), ['code'])
  assert.deepEqual(refused({ hasFactor: true, hasPassword: false }, 'always'), ['code'])
  assert.deepEqual(refused({ hasPassword: false }, 'always'), ['provider'])
})

test('a caller without a session has nothing to show', () => {
  requireReauthentication({}, 'always', now)
})
