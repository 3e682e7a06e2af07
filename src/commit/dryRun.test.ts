// The technique itself: the whole statement runs, and nothing of it stays.
import assert from 'node:assert/strict'
import { serviceTest } from '../testing/test.ts'
import { commit } from './commit.ts'
import { DryRunEnd, WouldHappen } from './dryRun.ts'
import { Effect, effect } from './effect.ts'
import { guard, step } from './step.ts'

const test = serviceTest().extend('notes', async ({ service }, { onCleanup }) => {
  const { sql } = service.app
  await sql`create table notes (text text primary key)`
  onCleanup(async () => {
    await sql`drop table notes`
  })
  return async () => (await sql<{ text: string }[]>`select text from notes order by text`).map(({ text }) => text)
})

test('a change that would happen is undone, and told', async ({ service: { app }, notes }) => {
  const { sql } = app
  const emitted = [{ type: 'note.created', payload: {} }]
  const end = new DryRunEnd(sql, { status: 201, body: { text: 'one' }, made: ['one'] })
  const change = {
    steps: [step('before', sql`insert into notes values ('step') returning text`)],
    guard: sql`select 'one' as word`,
    effects: [new Effect('written', sql`insert into notes select word from ${guard}`, undefined, emitted), end],
  }
  await assert.rejects(commit(app, change), (error) => {
    assert.ok(error instanceof WouldHappen)
    assert.deepEqual([error.answer, error.emitted], [end.answer, emitted])
    return true
  })
  assert.deepEqual(await notes(), [])
  assert.equal((await sql`select from dry_runs`).length, 0)
})

test('a guard that matches nothing is told as ever', async ({ service: { app }, notes }) => {
  const { sql } = app
  const committed = await commit(app, {
    steps: [step('before', sql`insert into notes values ('step') returning text`)],
    guard: sql`select 'one' as word where false`,
    effects: [new DryRunEnd(sql, { status: 200, body: undefined, made: [] })],
  })
  assert.deepEqual(committed, { matched: false, rows: [] })
  assert.deepEqual(await notes(), [])
})

test('a constraint that an effect breaks speaks first, whether or not anybody reads the effect', async ({
  service: { app },
  notes,
}) => {
  const { sql } = app
  await sql`insert into notes values ('one')`
  const change = {
    guard: sql`select 'one' as word`,
    effects: [
      effect('written', sql`insert into notes select word from ${guard}`),
      new DryRunEnd(sql, { status: 200, body: undefined, made: [] }),
    ],
  }
  await assert.rejects(commit(app, change), { code: '23505', constraint_name: 'notes_pkey' })
  assert.deepEqual(await notes(), ['one'])
})
