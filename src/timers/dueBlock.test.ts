// The reads of a block of timers while a burst is due.
import assert from 'node:assert/strict'
import { newId, type Uuid } from '../shapes/ids.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { serviceTest } from '../testing/test.ts'
import { dueBlock } from './dueBlock.ts'

const test = serviceTest()

test('slices share what is due, and each reads its part of a burst only as far as its block goes', async ({
  service,
  onTestFinished,
}) => {
  const { sql } = service.app
  const orgId = newId()
  await sql`
    insert into timers (org_id, subject_id, kind, calendar_id, due_at, generation)
    select ${orgId}, gen_random_uuid(), 'event_start', uuidv7(), app_now() + (nth - 20000) * interval '1 millisecond', 1
    from generate_series(1, 60000) as nth`
  await sql`analyze timers`
  const single = openSingleConnection(service)
  onTestFinished(() => single.sql.end())
  const of = 4
  const seen: Uuid[] = []
  for (let nth = 0; nth < of; nth++) {
    const block = (max: number) => ({ slice: { nth, of }, max, left: [], passedOver: [] })
    const rows = await sql<{ subjectId: Uuid }[]>`${dueBlock(sql, block(20_000))}`
    seen.push(...rows.map(({ subjectId }) => subjectId))
    for (const mode of ['custom', 'generic'] as const) {
      const read = await readOf(single, single.sql`${dueBlock(single.sql, block(500))}`, mode, 'timers')
      assert.ok(read.rows < 4_000, `${mode}: ${read.rows} rows by ${read.indexes}`)
    }
  }
  assert.equal(new Set(seen).size, 20_000)
  assert.equal(seen.length, 20_000)
})
