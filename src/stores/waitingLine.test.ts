import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openWaitingLine } from './waitingLine.ts'

const read = (n: number) => ({ n, text: 'select 1' })
const write = (n: number) => ({ n, text: 'with a as (update b set c = 1) select 1' })
const [always, never] = [() => true, () => false]

test('callers leave in the order in which they came; reads pass changes that may not go', () => {
  const line = openWaitingLine<{ n: number; text: string }>()
  for (const one of [write(1), read(2), write(3), read(4), read(5)]) line.add(one)
  assert.equal(line.size, 5)
  assert.equal(line.next(never)?.n, 2)
  assert.equal(line.next(always)?.n, 1)
  assert.equal(line.next(never)?.n, 4)
  assert.equal(line.next(always)?.n, 3)
  assert.equal(line.next(never)?.n, 5)
  assert.equal(line.next(always), undefined)
})

test('a caller that has left is not served, and all can be taken out in their order', () => {
  const line = openWaitingLine<{ n: number; text: string }>()
  const all = [read(1), write(2), read(3), write(4)]
  for (const one of all) line.add(one)
  assert.deepEqual([line.delete(all[2]!), line.delete(all[2]!)], [true, false])
  assert.deepEqual(
    line.empty().map(({ n }) => n),
    [1, 2, 4],
  )
  assert.equal(line.size, 0)
})
