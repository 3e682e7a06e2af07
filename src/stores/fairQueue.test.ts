import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Feed, openHostQueue } from '../imports/hostQueue.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openFairQueue } from './fairQueue.ts'

/** A queue with the works that run in it, which end when a test says so. */
function open<Item extends { id: string }>(queue: ReturnType<typeof openFairQueue<Item>>) {
  const begun: string[] = []
  const ends = new Map<string, (goesOn: boolean) => void>()
  const enter = (item: Item) =>
    queue.enter(
      item,
      () =>
        new Promise((resolve) => {
          begun.push(item.id)
          ends.set(item.id, resolve)
        }),
    )
  const end = async (id: string, goesOn = true) => {
    ends.get(id)!(goesOn)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, enter, end }
}

const single = { mayBegin: (_: unknown, working: readonly unknown[]) => working.length < 1, mayWait: () => true }

test('what may not begin waits and its job ends; whoever is done takes it along', async () => {
  const { begun, enter, end } = open(openFairQueue<{ id: string }>(single))
  let isOver = false
  const first = enter({ id: 'a' }).then(() => {
    isOver = true
  })
  assert.equal(await enter({ id: 'b' }), true)
  assert.deepEqual(begun, ['a'])
  await end('a')
  assert.deepEqual(begun, ['a', 'b'])
  assert.equal(isOver, false, 'it works on what it took along')
  await end('b')
  await first
})

test('what waits is taken in its order, and what comes twice waits once', async () => {
  const order = (a: { nth: number }, b: { nth: number }) => a.nth - b.nth
  const { begun, enter, end } = open(openFairQueue<{ id: string; nth: number }>({ ...single, order }))
  void enter({ id: 'a', nth: 0 })
  for (const [id, nth] of [
    ['d', 3],
    ['b', 1],
    ['c', 9],
    ['c', 2],
  ] as const)
    await enter({ id, nth })
  for (const id of ['a', 'b', 'c', 'd']) await end(id)
  assert.deepEqual(begun, ['a', 'b', 'c', 'd'])
})

test('those of one turn wait behind the others once one of them has begun', async () => {
  const turnOf = ({ id }: { id: string }) => id[0]!
  const { begun, enter, end } = open(openFairQueue<{ id: string }>({ ...single, turnOf }))
  void enter({ id: 'x' })
  for (const id of ['a1', 'a2', 'a3', 'b1', 'b2']) await enter({ id })
  for (const id of ['x', 'a1', 'b1', 'a2', 'b2', 'a3']) await end(id)
  assert.deepEqual(begun, ['x', 'a1', 'b1', 'a2', 'b2', 'a3'])
})

test('after work that ends the process nothing more begins, and after work that fails nothing is held', async () => {
  const { begun, enter, end } = open(openFairQueue<{ id: string }>(single))
  void enter({ id: 'a' })
  await enter({ id: 'b' })
  await end('a', false)
  assert.deepEqual(begun, ['a'])
  const failing = openFairQueue<{ id: string }>(single)
  await assert.rejects(
    failing.enter({ id: 'a' }, () => Promise.reject(new Error('it fails'))),
    /it fails/,
  )
  assert.equal(await failing.enter({ id: 'b' }, async () => true), true)
})

test('a host has four at once, an organization as many as it leaves free, and of those that wait as well', async () => {
  const { begun, enter } = open<Feed>(openHostQueue())
  const feed = (orgId: string, nth: number, host = 'one') => ({
    orgId: orgId as Uuid,
    id: `${orgId}${nth}${host}` as Uuid,
    host,
  })
  for (const org of ['a', 'b', 'c']) for (const nth of [1, 2, 3]) void enter(feed(org, nth))
  assert.deepEqual(begun, ['a1one', 'a2one', 'b1one', 'c1one'])
  void enter(feed('a', 1, 'two'))
  assert.equal(begun.at(-1), 'a1two')
  const taken = await Promise.all(Array.from({ length: 100 }, (_, nth) => enter(feed('d', nth, 'one'))))
  assert.equal(taken.filter(Boolean).length, 48, 'beside the five that wait')
})
