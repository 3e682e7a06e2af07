import assert from 'node:assert/strict'
import { writeUses } from '../keys/uses.ts'
import { openMetrics } from '../observability/metrics.ts'
import { makeCalendar } from '../testing/factories.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { timerBacklog } from '../timers/metrics.ts'
import { openDb } from './postgres.ts'
import { nameFrom, observeStatements } from './statements.ts'

const test = serviceTest()
  .extend('counted', perFile, ({ service }) => async (name: string) => {
    const { values } = await service.app.metrics.postgresStatementDuration.get()
    return (
      values.find(({ metricName, labels }) => metricName?.endsWith('_count') && labels.statement === name)?.value ?? 0
    )
  })
  .extend('failures', perFile, ({ service }) => async (reason: string) => {
    const { values } = await service.app.metrics.postgresStatementFailures.get()
    return values.find(({ labels }) => labels.reason === reason)?.value
  })

const stack = (...frames: string[]) => ['Error', ...frames.map((frame) => `    at ${frame}`)].join('\n')

test('a statement is named by its noun and the function around it', () => {
  const cases: [frames: string[], name: string][] = [
    [
      ['dueTimers (file:///srv/src/timers/timers.ts:1:2)', 'fireDue (file:///srv/workers/timers.ts:3:4)'],
      'timers.dueTimers',
    ],
    [['runStatement (file:///srv/src/app.ts:1:2)'], 'app.runStatement'],
    [['async Object.read (file:///srv/src/keys/principals.ts:1:2)'], 'keys.read'],
    [
      [
        'file:///srv/src/events/queries.ts:1:2',
        'Array.map (<anonymous>)',
        'total (file:///srv/src/events/queries.ts:9:9)',
      ],
      'events.total',
    ],
    [['file:///srv/src/events/queries.ts:1:2', 'list (file:///srv/src/events/read.ts:9:9)'], 'events'],
    [[], 'unknown'],
  ]
  for (const [frames, name] of cases) assert.equal(nameFrom(stack(...frames)), name)
})

test('every statement is measured under its name, once', async ({ service, counted }) => {
  const before = await counted('timers.timerBacklog')
  await timerBacklog(service.app)
  await timerBacklog(service.app)
  assert.equal(await counted('timers.timerBacklog'), before + 2)
})

test('a change is one statement in the measure too', async ({ service, key, counted }) => {
  const before = await counted('commit.runStatement')
  await makeCalendar(service, key)
  assert.equal(await counted('commit.runStatement'), before + 1)
})

test('the number of names grows with the places in the code, not with the values', async ({ service, key }) => {
  const names = async () =>
    new Set((await service.app.metrics.postgresStatementDuration.get()).values.map(({ labels }) => labels.statement))
  await makeCalendar(service, key)
  // Comes by itself, at some time after the first use of a key.
  await writeUses(service.app)
  const before = (await names()).size
  for (let nth = 0; nth < 5; nth++) await makeCalendar(service, key, undefined, { name: `Calendar ${nth}` })
  assert.equal((await names()).size, before)
})

test('a statement that Postgres refuses is counted as refused, and nothing stays in flight', async ({
  service,
  failures,
}) => {
  assert.equal(await failures('refused'), 0)
  await assert.rejects(service.app.sql`select from no_such_table`)
  assert.equal(await failures('refused'), 1)
  assert.equal(await failures('unreachable'), 0)
  assert.equal((await service.app.metrics.postgresStatementsInFlight.get()).values[0]?.value, 0)
})

test('a statement that misses its deadline counts once, although Postgres answers it later', async ({ service }) => {
  const metrics = openMetrics()
  const { databaseUrl } = service.app.config
  const sql = openDb(databaseUrl, {
    connections: 1,
    deadlineMs: 200,
    name: 'late',
    observe: observeStatements(metrics),
  })
  await sql`select 1`
  await assert.rejects(sql`select pg_sleep(5)`)
  // There is one connection: when it answers this, it has answered the statement before.
  await sql`select 2`
  const [inFlight, { values }] = [
    await metrics.postgresStatementsInFlight.get(),
    await metrics.postgresStatementFailures.get(),
  ]
  assert.equal(inFlight.values[0]?.value, 0)
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.reason, value]),
    [
      ['deadline', 1],
      ['unreachable', 0],
      ['refused', 0],
      ['foreign', 0],
    ],
  )
  await sql.end()
})
