import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openTurns } from './turns.ts'

/** Work that ends when the test says so, and which of it has begun. */
function openDesk() {
  let ms = 0
  const turns = openTurns(2, () => ms)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    ask(orgId: string, name: string) {
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      return turns.take(orgId, async () => {
        begun.push(name)
        await promise
        return name
      })
    },
    async end(name: string, took = 0) {
      ms += took
      ends.get(name)!()
      await new Promise(setImmediate)
    },
  }
}

test('an organization holds one place at most, and the others come before its next work', async () => {
  const { begun, ask, end } = openDesk()
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => ask(name[0]!, name))
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(begun, ['a1', 'b1', 'c1'])
  await end('b1')
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2'])
  for (const name of ['c1', 'a2', 'a3']) await end(name)
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1', 'c1'])
})

test('organizations whose work takes long leave one place to the others, for a minute', async () => {
  const { begun, ask, end } = openDesk()
  void ask('a', 'a1')
  await end('a1', 1_001)
  void ask('b', 'b1')
  await end('b1', 5_000)
  for (const name of ['a2', 'b2', 'c1']) void ask(name[0]!, name)
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'c1'])
  await end('c1')
  assert.deepEqual(begun.slice(4), [])
  await end('a2')
  assert.deepEqual(begun.slice(4), ['b2'])
  await end('b2', 70_000)
  for (const name of ['a3', 'c2']) void ask(name[0]!, name)
  assert.deepEqual(begun.slice(5), ['a3', 'c2'])
})

test('work that fails gives its place back', async () => {
  const turns = openTurns(1)
  await assert.rejects(turns.take('a', () => Promise.reject(new Error('broken'))))
  assert.equal(await turns.take('b', async () => 'done'), 'done')
  await turns.over()
})
