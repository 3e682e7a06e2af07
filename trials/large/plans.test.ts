import assert from 'node:assert/strict'
import { test } from 'vitest'
import { growthOf, pagesRead, plansIn, shownGrowth, statementsOf } from './plans.ts'

type Scan = { rows: number; removed?: number; pages: number; loops?: number; index?: string }

/** The plan of a limit over a scan of `events`. */
const planOf = ({ rows, removed = 0, pages, loops = 1, index = 'events_listed' }: Scan) => ({
  'Node Type': 'Limit',
  'Actual Rows': 1,
  'Actual Loops': 1,
  'Shared Hit Blocks': pages,
  'Shared Read Blocks': 0,
  Plans: [
    {
      'Node Type': 'Index Scan',
      'Index Name': index,
      'Relation Name': 'events',
      'Actual Rows': rows,
      'Rows Removed by Filter': removed,
      'Actual Loops': loops,
      'Shared Hit Blocks': pages - 1,
      'Shared Read Blocks': 1,
    },
  ],
})

/** As auto_explain writes it. */
const entry = (text: string, scan: Scan) => {
  const json = JSON.stringify({ 'Query Text': text, Plan: planOf(scan) }, null, 2)
  const lines = json.split('\n').map((line) => `\t${line}`)
  return `2026-11-28 12:00:00.000 UTC [17] LOG:  duration: 0.123 ms  plan:\n${lines.join('\n')}\n`
}
const other = '2026-11-28 12:00:00.000 UTC [12] LOG:  parameter "auto_explain.log_min_duration" changed to "0"\n'
const statements = (log: string) => statementsOf(plansIn(log))

test('plans are found between the other lines of a log', () => {
  const log =
    other + entry('select 1\n  from events', { rows: 1, pages: 3 }) + other + entry('select 2', { rows: 1, pages: 4 })
  assert.deepEqual(
    plansIn(log).map(({ text }) => text),
    ['select 1 from events', 'select 2'],
  )
  assert.equal(pagesRead(plansIn(log)), 7)
  assert.deepEqual(plansIn(other), [])
})

test('a statement is said to grow at the table of which it reads more, whichever index it uses', () => {
  const small = statements(entry('select', { rows: 4, pages: 5, index: 'events_pkey' }))
  const large = statements(entry('select', { rows: 4, removed: 96, pages: 50 }))
  const growth = growthOf(large, small)
  assert.deepEqual(
    growth.map(({ lines }) => lines),
    [['events: 4 rows, 5 pages → 100 rows, 50 pages']],
  )
  assert.equal(
    shownGrowth(growth[0]!, true),
    [
      ...['  select', '    grows: events: 4 rows, 5 pages → 100 rows, 50 pages'],
      '        Index Scan using events_listed on events: 100 rows, 50 pages',
    ].join('\n'),
  )
  assert.doesNotMatch(shownGrowth(growth[0]!, false), /Index Scan/)
})

test('one more level of an index is no growth, and executions are averaged', () => {
  const small = statements(entry('select', { rows: 4, pages: 3 }))
  const large = statements(entry('select', { rows: 2, pages: 4 }) + entry('select', { rows: 3, loops: 2, pages: 4 }))
  assert.deepEqual(growthOf(large, small), [])
  assert.deepEqual([...large.get('select')!.tables], [['events', { rows: 4, pages: 4 }]])
})

test('a statement that runs more often is shown, too', () => {
  const one = entry('select', { rows: 1, pages: 2 })
  assert.deepEqual(growthOf(statements(one + one + one), statements(one)), [])
  assert.deepEqual(
    growthOf(statements(one.repeat(4)), statements(one)).map(({ lines }) => lines),
    [['executions: 1 → 4']],
  )
})

test('a statement of the large installation alone is shown if it ran often', () => {
  const one = entry('select 3', { rows: 1, pages: 2 })
  assert.deepEqual(growthOf(statements(one), new Map()), [])
  assert.deepEqual(
    growthOf(statements(one + one + one), new Map()).map(({ lines }) => lines),
    [['only in the large installation']],
  )
})
