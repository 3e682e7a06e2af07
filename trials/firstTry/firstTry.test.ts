// `npm run first-try`: the calls that hurried models make succeed at once, or after one repair that the error itself names.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { serviceTest } from '../../src/testing/test.ts'
import { play } from './play.ts'
import { tasks } from './tasks.ts'

const test = serviceTest()

const file = new URL('played.json', import.meta.url)

type Played = { ends: string; bytes: number }

/** How each task ended, and the size of its answers at the last review. A task may take 5 % more. */
const known: Record<string, Played> = JSON.parse(readFileSync(file, 'utf8'))
const allowed = 1.05

/** As tokens: four bytes each. */
const shown = (bytes: number) => String(Math.ceil(bytes / 4)).padStart(6)

const isWanted = process.env.FIRST_TRY === 'write'
const found: Record<string, Played> = {}
afterAll(() => {
  if (isWanted) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
})

const marks = { repaired: 'succeeds after one repair', refused: 'is refused, as it should be' }

for (const task of tasks) {
  test(task.name, async ({ service }) => {
    const bytes = await play(service, task)
    const ends = task.mark ? marks[task.mark] : 'succeeds at once'
    if (process.env.FIRST_TRY) console.log(`${shown(bytes)}  ${task.name} (${ends})`)
    found[task.name] = { ends, bytes }
    if (isWanted) return
    const before = known[task.name]
    assert.equal(before?.ends, ends)
    const most = before.bytes * allowed
    assert.ok(bytes <= most, `${bytes} bytes, at most ${most}: run FIRST_TRY=write npm run first-try if that is wanted`)
  })
}

test('every task was played before', () => {
  if (isWanted) return
  assert.deepEqual(Object.keys(known).sort(), tasks.map(({ name }) => name).sort())
})
