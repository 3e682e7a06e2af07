// The sums of counts, as the statement that records attempts adds them.
import assert from 'node:assert/strict'
import { perFile, serviceTest } from '../testing/test.ts'

const test = serviceTest()
  .extend('counts', perFile, ({ service: { app } }) => async (a: object, b: object): Promise<unknown> => {
    const [row] = await app.sql<{ sum: unknown }[]>`
      select add_counts(${JSON.stringify(a)}::text::jsonb, ${JSON.stringify(b)}::text::jsonb) as sum`
    return row?.sum
  })
  .extend('each', perFile, ({ service: { app } }) => async (a: number[], b: number[]): Promise<unknown> => {
    const [row] = await app.sql<{ sum: unknown }[]>`
      select add_each(${`{${a}}`}::text::integer[], ${`{${b}}`}::text::integer[]) as sum`
    return row?.sum
  })

test('counts of one name are added, the others stay', async ({ counts }) => {
  const cases: [a: object, b: object, sum: object][] = [
    [{}, {}, {}],
    [{ timeout: 2 }, {}, { timeout: 2 }],
    [{}, { timeout: 2 }, { timeout: 2 }],
    [
      { timeout: 2, dns: 1 },
      { timeout: 2_147_483_647, refused: 4 },
      { timeout: 2_147_483_649, dns: 1, refused: 4 },
    ],
  ]
  for (const [a, b, sum] of cases) assert.deepEqual(await counts(a, b), sum)
})

test('lists are added in their order, and a shorter one as if zeros followed', async ({ each }) => {
  const many = Array.from({ length: 30 }, (_, nth) => nth)
  assert.deepEqual(
    await each(many, many),
    many.map((n) => 2 * n),
  )
  assert.deepEqual(await each([1, 2, 3], [10]), [11, 2, 3])
  assert.deepEqual(await each([1], [10, 20]), [11, 20])
  assert.deepEqual(await each([], []), [])
})
