import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { ServiceError } from '../errors.ts'
import { openTurns } from './turns.ts'

test('works of one key follow each other, also after one that failed; other keys do not wait', async () => {
  const inTurn = openTurns()
  const happened: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = inTurn('a', async () => {
    happened.push('a1 begins')
    await first.promise
    happened.push('a1 fails')
    throw new Error('a1')
  })
  const next = inTurn('a', async () => happened.push('a2'))
  await inTurn('b', async () => happened.push('b'))
  first.resolve()
  await assert.rejects(failing, /a1/)
  await next
  assert.deepEqual(happened, ['a1 begins', 'b', 'a1 fails', 'a2'])
})

test('whose turn does not come in time is refused and never begins, and the queue goes on', async () => {
  const inTurn = openTurns(5)
  const first = Promise.withResolvers<string>()
  const happened: string[] = []
  const patient = inTurn('a', () => first.promise)
  const late = inTurn('a', async () => happened.push('late'))
  await assert.rejects(late, (error: ServiceError) => {
    assert.equal(error.status, 503)
    assert.equal(error.type, 'internal_error')
    assert.ok(error.detail.retryAfterSeconds! >= 1)
    return true
  })
  first.resolve('done')
  assert.equal(await patient, 'done')
  assert.equal(await inTurn('a', async () => 'next'), 'next')
  assert.deepEqual(happened, [])
})

test('after a refusal the next one still waits for the work that is under way', async () => {
  const inTurn = openTurns(5)
  const first = Promise.withResolvers<void>()
  const underWay = inTurn('a', () => first.promise)
  await assert.rejects(inTurn('a', async () => 'late'))
  let isOver = false
  const next = inTurn('a', async () => isOver)
  await new Promise(setImmediate)
  isOver = true
  first.resolve()
  await underWay
  assert.equal(await next, true)
})
