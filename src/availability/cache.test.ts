import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { type Cached, openCache } from './cache.ts'

const busyOf = (intervals: number): Cached => ({
  scope: { kind: 'agents', orgId: newId(), agentIds: [] },
  busy: { agents: [], all: Array.from({ length: 2 * intervals }, (_, i) => i) },
  revisions: '',
  holidayFeeds: [],
  until: null,
})

test('the least recently used entries go first', () => {
  const cache = openCache({ entries: 2, bytes: 1_000_000 })
  cache.keep('a', busyOf(1))
  cache.keep('b', busyOf(1))
  assert.ok(cache.find('a'))
  cache.keep('c', busyOf(1))
  assert.equal(cache.find('b'), undefined)
  assert.ok(cache.find('a'))
  assert.ok(cache.find('c'))
})

test('large entries push each other out by their size', () => {
  const cache = openCache({ entries: 1_000, bytes: 100_000 })
  for (let i = 0; i < 20; i++) cache.keep(`large ${i}`, busyOf(600))
  const kept = Array.from({ length: 20 }, (_, i) => cache.find(`large ${i}`)).filter(Boolean)
  assert.equal(kept.length, 9)
  assert.ok(cache.find('large 19'))
})

test('an entry that is kept again counts once', () => {
  const cache = openCache({ entries: 1_000, bytes: 100_000 })
  for (let i = 0; i < 50; i++) cache.keep('same', busyOf(600))
  cache.keep('other', busyOf(600))
  assert.ok(cache.find('same'))
})

test('an entry larger than an eighth of the whole is not kept', () => {
  const cache = openCache({ entries: 1_000, bytes: 100_000 })
  cache.keep('small', busyOf(1))
  cache.keep('huge', busyOf(800))
  assert.equal(cache.find('huge'), undefined)
  assert.ok(cache.find('small'))
})

test('the busy time of each agent counts, too', () => {
  const cache = openCache({ entries: 1_000, bytes: 100_000 })
  const { busy, ...rest } = busyOf(1)
  const ofAgents = [busyOf(800).busy.all]
  cache.keep('huge', { ...rest, busy: { ...busy, ofAgents } })
  assert.equal(cache.find('huge'), undefined)
})
