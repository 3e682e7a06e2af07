import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from './turns.ts'

/** Work that goes on until it is told to end. */
function work<T>(journal: string[], name: string, result: T) {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const run = () => {
    journal.push(name)
    return promise
  }
  return { run, end: () => resolve(result), fail: () => reject(new Error(`${name} failed`)) }
}

/** Lets everything that can go on go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('those of one key take turns in the order they came', async () => {
  const inTurn = openTurns()
  const journal: string[] = []
  const [a, b, c] = [work(journal, 'a', 1), work(journal, 'b', 2), work(journal, 'c', 3)]
  const results = [inTurn('key', a.run), inTurn('key', b.run), inTurn('key', c.run)]
  await settled()
  assert.deepEqual(journal, ['a'])
  a.end()
  await settled()
  assert.deepEqual(journal, ['a', 'b'])
  b.end()
  c.end()
  assert.deepEqual(await Promise.all(results), [1, 2, 3])
  assert.deepEqual(journal, ['a', 'b', 'c'])
})

test('another key waits for nobody', async () => {
  const inTurn = openTurns()
  const journal: string[] = []
  const [a, b] = [work(journal, 'a', 1), work(journal, 'b', 2)]
  const first = inTurn('one', a.run)
  const second = inTurn('two', b.run)
  b.end()
  assert.equal(await second, 2)
  assert.deepEqual(journal, ['a', 'b'])
  a.end()
  assert.equal(await first, 1)
})

test('who fails fails alone: the next one has its turn', async () => {
  const inTurn = openTurns()
  const journal: string[] = []
  const [a, b] = [work(journal, 'a', 1), work(journal, 'b', 2)]
  const failing = inTurn('key', a.run)
  const next = inTurn('key', b.run)
  a.fail()
  b.end()
  await assert.rejects(failing, { message: 'a failed' })
  assert.equal(await next, 2)
})

test('who comes when nobody is left waits for nobody', async () => {
  const inTurn = openTurns()
  assert.equal(await inTurn('key', async () => 1), 1)
  assert.equal(await inTurn('key', async () => 2), 2)
})
