import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'vitest'
import { openPlaces, type Places } from './heavyReadQueue.ts'

const limits = { maxWorking: 3, maxWorkingEach: 2, maxWaiting: 2, patienceMs: 60_000 }
const open = (more: Partial<typeof limits> = {}) => openPlaces({ ...limits, ...more })

/** Works that end when they are told to; `begun` names them in the order in which they began. */
function openWorks(places: Places) {
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const workOf = (name: string) => () => {
    begun.push(name)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)))
    return promise
  }
  return {
    begun,
    start: (name: string, way: 'enter' | 'continueWork' = 'enter') =>
      places[way](name[0]!, workOf(name), () => new Error('refused')),
    async end(name: string, failure?: Error) {
      ends.get(name)!(failure)
      await nextTurn()
    },
  }
}

test('an owner has so many places at once, then a line, then a refusal', async () => {
  const { start, begun, end } = openWorks(open())
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => start(name))
  await assert.rejects(start('a5'), /refused/)
  assert.deepEqual(begun, ['a1', 'a2'])
  await end('a2')
  assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  for (const name of ['a1', 'a3', 'a4']) await end(name)
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4'])
})

test('a full owner holds nobody else up, and owners take turns', async () => {
  const { start, begun, end } = openWorks(open())
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void start(name)
  await nextTurn()
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  await end('a1')
  await end('a2')
  await end('b1')
  assert.deepEqual(begun.slice(3).toSorted(), ['a3', 'b2', 'c1'])
  for (const name of ['a3', 'b2', 'c1', 'a4']) await end(name)
})

test('a work that fails gives its place back', async () => {
  const { start, begun, end } = openWorks(open({ maxWorking: 1 }))
  const first = start('a1')
  void start('b1')
  await nextTurn()
  const rejected = assert.rejects(first, /broken/)
  await end('a1', new Error('broken'))
  await rejected
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('b1')
})

test('whose turn does not come in time is refused and leaves the line', async () => {
  const { start, begun, end } = openWorks(open({ maxWorkingEach: 1, patienceMs: 20 }))
  const first = start('a1')
  await nextTurn()
  await assert.rejects(start('a2'), /refused/)
  const patient = start('a3', 'continueWork')
  await end('a1')
  assert.deepEqual(begun, ['a1', 'a3'])
  await end('a3')
  assert.deepEqual(await Promise.all([first, patient]), ['a1', 'a3'])
})

test('what goes on is never refused, however long the line', async () => {
  const { start, begun, end } = openWorks(open({ maxWorkingEach: 1, maxWaiting: 0 }))
  const all = ['a1', 'a2', 'a3'].map((name) => start(name, 'continueWork'))
  await assert.rejects(start('a4'), /refused/)
  for (const name of ['a1', 'a2', 'a3']) {
    await nextTurn()
    await end(name)
  }
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3'])
  assert.deepEqual(begun, ['a1', 'a2', 'a3'])
})

test('an owner that has used its share rests, and others do not wait for it', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>()
  let restMs = 1
  const { start, begun, end } = openWorks(
    openPlaces({
      ...limits,
      restMsOf(owner) {
        if (owner !== 'a') return 0
        if (restMs === 0) resolve()
        return restMs
      },
    }),
  )
  const all = [start('a1'), start('b1')]
  await nextTurn()
  assert.deepEqual(begun, ['b1'])
  restMs = 0
  await rested
  await nextTurn()
  assert.deepEqual(begun, ['b1', 'a1'])
  for (const name of ['a1', 'b1']) await end(name)
  await Promise.all(all)
})

test('an owner that rests for long does not keep one that rests for a moment', async () => {
  const rests = new Map([
    ['a', 3_600_000],
    ['b', 5],
  ])
  let looks = 0
  const rested = Promise.withResolvers<void>()
  const restMsOf = (owner: string) => {
    // Its second look is that of the timer.
    if (owner === 'b' && ++looks > 2) {
      rests.set('b', 0)
      rested.resolve()
    }
    return rests.get(owner)!
  }
  const { start, begun, end } = openWorks(openPlaces({ ...limits, restMsOf }))
  void start('a1', 'continueWork')
  const short = start('b1', 'continueWork')
  await rested.promise
  await nextTurn()
  assert.deepEqual(begun, ['b1'])
  await end('b1')
  assert.equal(await short, 'b1')
})
