import assert from 'node:assert/strict'
import { afterAll, beforeAll, type TestContext, test } from 'vitest'
import { ServiceError } from '../errors.ts'
import { openMetrics } from '../observability/metrics.ts'
import { directly, openTestService, type TestService } from '../testing/harness.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import { observeConnections } from './connections.ts'
import { isUndone, isUnreachable } from './failures.ts'
import { openDb } from './postgres.ts'

let service: TestService
let databaseUrl: string

beforeAll(async () => {
  service = await openTestService()
  databaseUrl = directly(service.app.config.databaseUrl)
  await service.app.sql`create table given_up (n integer)`
})
afterAll(() => service.close())

function open(t: TestContext, { url = databaseUrl, connections = 1, deadlineMs = 5_000 } = {}) {
  const metrics = openMetrics()
  const observed = { observeConnections: observeConnections(metrics) }
  const sql = openDb(url, { connections, deadlineMs, name: 'test of the door', ...observed })
  t.onTestFinished(() => sql.end({ timeout: 1 }))
  const closed = async () => {
    const { values } = await metrics.postgresConnectionsClosed.get()
    return Object.fromEntries(
      values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.reason, value]),
    )
  }
  const openNow = async () => (await metrics.postgresConnectionsOpen.get()).values[0]?.value
  return { sql, closed, openNow }
}

/** What a caller of the API would be told. */
async function failureOf(statement: Promise<unknown>): Promise<ServiceError> {
  const error = await statement.then(
    () => assert.fail('it was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ServiceError, String(error))
  assert.deepEqual([error.type, error.status], ['internal_error', 503])
  return error
}

const written = async () => (await service.app.sql<{ n: number }[]>`select n from given_up`).map(({ n }) => n)

test('a pool whose statements were given up before they left works once Postgres can be reached, and writes none of them', async (t) => {
  const way = await openWay(databaseUrl)
  t.onTestFinished(async () => {
    await way.close()
  })
  way.treat('hang up')
  const { sql } = open(t, { url: way.url, connections: 2, deadlineMs: 500 })
  for (let round = 0; round < 3; round++) {
    const given = [1, 2, 3].map(async (n) => sql`insert into given_up values (${n})`)
    for (const outcome of await Promise.allSettled(given)) {
      assert.equal(outcome.status, 'rejected')
      assert.ok(isUndone(outcome.reason))
    }
  }
  way.treat('pass on')
  let answered: unknown
  for (let attempt = 0; attempt < 20 && !answered; attempt++) {
    answered = await sql`select 1 as one`.catch(() => undefined)
  }
  const both = await Promise.all([sql`select 1 as one`, sql`select 2 as two`])
  assert.ok(answered, 'a statement is answered')
  assert.equal(both.length, 2)
  assert.deepEqual(await written(), [])
})

test('a statement that waits for a connection until its deadline was never sent, and says so', async (t) => {
  const { sql, closed } = open(t, { connections: 2, deadlineMs: 400 })
  const held = [await sql.reserve(), await sql.reserve()]
  const errors = await Promise.all([1, 2, 3].map((n) => failureOf(sql`insert into given_up values (${n})`)))
  for (const error of errors) {
    assert.ok(isUndone(error))
    assert.match(error.message, /Nothing was written/)
  }
  await failureOf(sql.reserve())
  for (const connection of held) connection.release()
  assert.equal((await sql`select 1 as one`)[0].one, 1)
  assert.deepEqual(await written(), [])
  assert.deepEqual(await closed(), { released: 2 })
})

test('a statement that takes too long is ended by Postgres: nothing of it happened, and its connection stays', async (t) => {
  const { sql, closed } = open(t, { deadlineMs: 4_000 })
  const pid = async () => (await sql`select pg_backend_pid() as pid`)[0].pid
  const before = await pid()
  const error = await failureOf(sql`with w as (insert into given_up values (1)) select pg_sleep(30)`)
  assert.ok(isUndone(error))
  assert.match(error.message, /Nothing was written/)
  assert.equal(await pid(), before)
  assert.deepEqual([await written(), await closed()], [[], {}])
})

test('a statement that nobody answers takes its connection with it, and its outcome is unknown', async (t) => {
  const way = await openWay(databaseUrl)
  t.onTestFinished(async () => {
    await way.close()
  })
  const { sql, closed, openNow } = open(t, { url: way.url, deadlineMs: 400 })
  await sql`select 1`
  way.treat('hold answers')
  const error = await failureOf(sql`select 2`)
  assert.equal(isUndone(error), false)
  assert.match(error.message, /may or may not have happened/)
  assert.deepEqual([await closed(), await openNow()], [{ deadline: 1 }, 0])
  way.treat('pass on')
  assert.equal((await sql`select 3 as three`)[0].three, 3)
})

test('a row that was not asked for ends its statement and closes its connection; rows that were come through', async (t) => {
  const { sql, closed } = open(t)
  const numbers = () => sql<{ n: number }[]>`select n from generate_series(1, 3) n`
  const [{ pid }] = await sql`select pg_backend_pid() as pid`
  assert.equal((await numbers().answering(({ n }) => n < 4)).length, 3)
  const error = await failureOf(numbers().answering(({ n }) => n < 3))
  assert.match(error.message, /another question/)
  assert.equal(isUndone(error), false)
  assert.deepEqual(await closed(), { distrusted: 1 })
  assert.notEqual((await sql`select pg_backend_pid() as pid`)[0].pid, pid)
})

test('rows that come piece by piece are compared before anybody has them', async (t) => {
  const { sql, closed } = open(t)
  const seen: number[] = []
  const numbers = sql<{ n: number }[]>`select n from generate_series(1, 9) n`
  const error = await failureOf(
    numbers.answering(({ n }) => n < 6).cursor(3, (rows) => void seen.push(...rows.map(({ n }) => n))),
  )
  assert.match(error.message, /another question/)
  assert.deepEqual(seen, [1, 2, 3])
  assert.deepEqual(await closed(), { distrusted: 1 })
})

test('a reserved connection is nobody else’s, answers in order, and is closed when it is released', async (t) => {
  const { sql, closed } = open(t, { connections: 2 })
  const own = await sql.reserve()
  await own`begin`
  await own`insert into given_up values (9)`
  const inside = await Promise.all([own`select count(*)::integer as n from given_up`, own`select 2 as n`])
  const outside = await Promise.all([1, 2, 3].map(() => sql`select count(*)::integer as n from given_up`))
  assert.deepEqual(
    [...inside, ...outside].map(([row]) => row.n),
    [1, 2, 0, 0, 0],
  )
  own.release()
  await assert.rejects(async () => own`select 1`, isUnreachable)
  assert.deepEqual([await written(), await closed()], [[], { released: 1 }])
})

test('what waits when the door closes is answered, what comes later is refused', async (t) => {
  const { sql, openNow } = open(t)
  const asked = [1, 2, 3].map((n) => sql`select ${n}::integer as n, pg_sleep(0.05)`.then(([row]) => row.n))
  const ended = sql.end()
  assert.deepEqual(await Promise.all(asked), [1, 2, 3])
  await ended
  assert.equal(await openNow(), 0)
  await assert.rejects(async () => sql`select 1`, { code: 'CONNECTION_ENDED' })
})

test('a value that was forgotten is an error before anything is sent', async (t) => {
  const { sql, openNow } = open(t)
  await assert.rejects(async () => sql`select ${undefined}`, TypeError)
  assert.equal(await openNow(), 0)
})

test('a connection that cannot be made refuses whoever waits for it, with its reason', async (t) => {
  const url = new URL(databaseUrl)
  url.pathname = '/no_such_database'
  const { sql } = open(t, { url: url.href })
  const outcomes = await Promise.allSettled([1, 2, 3].map(async () => sql`select 1`))
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected')
    assert.deepEqual([outcome.reason.name, outcome.reason.code], ['PostgresError', '3D000'])
  }
})
