import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import { openMetrics } from '../observability/metrics.ts'
import { freezeBackends } from '../testing/frozenBackends.ts'
import { directly } from '../testing/harness.ts'
import { whileOpen } from '../testing/locks.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { until } from '../testing/until.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import { observeConnections } from './connections.ts'
import { isUndone, isUnreachable } from './failures.ts'
import { openDb } from './postgres.ts'

const test = serviceTest()
  .extend('databaseUrl', perFile, async ({ service }) => {
    await service.app.sql`create table given_up (n integer)`
    return directly(service.app.config.databaseUrl)
  })
  .extend('written', perFile, ({ service }) => async () => {
    const rows = await service.app.sql<{ n: number }[]>`select n from given_up`
    return rows.map(({ n }) => n)
  })
  .extend('way', async ({ databaseUrl }, { onCleanup }) => {
    const way = await openWay(databaseUrl)
    onCleanup(async () => {
      await way.close()
    })
    return way
  })
  .extend(
    'open',
    ({ databaseUrl, onTestFinished }) =>
      ({ url = databaseUrl, connections = 1, deadlineMs = 5_000 } = {}) => {
        const metrics = openMetrics()
        const observed = { observeConnections: observeConnections(metrics) }
        const sql = openDb(url, { connections, deadlineMs, name: 'test of the door', ...observed })
        onTestFinished(() => sql.end({ timeout: 1 }))
        const closed = async () => {
          const { values } = await metrics.postgresConnectionsClosed.get()
          return Object.fromEntries(
            values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.reason, value]),
          )
        }
        const openNow = async () => (await metrics.postgresConnectionsOpen.get()).values[0]?.value
        return { sql, closed, openNow }
      },
  )

/** The error that a caller of the API would get. */
async function failureOf(statement: Promise<unknown>): Promise<ServiceError> {
  const error = await statement.then(
    () => assert.fail('it was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ServiceError, String(error))
  assert.deepEqual([error.type, error.status], ['internal_error', 503])
  return error
}

test('statements that miss their deadline are never written; once Postgres is back, the pool works again', async ({
  way,
  open,
  written,
}) => {
  way.treat('hang up')
  const { sql } = open({ url: way.url, connections: 2, deadlineMs: 500 })
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

test('a statement that waits for a connection until its deadline is never sent, and says so', async ({
  open,
  written,
}) => {
  const { sql, closed } = open({ connections: 2, deadlineMs: 400 })
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

test('a statement that takes too long is ended by Postgres: nothing is written, and its connection stays', async ({
  open,
  written,
}) => {
  const { sql, closed } = open({ deadlineMs: 4_000 })
  const pid = async () => (await sql`select pg_backend_pid() as pid`)[0].pid
  const before = await pid()
  const error = await failureOf(sql`with w as (insert into given_up values (1)) select pg_sleep(30)`)
  assert.ok(isUndone(error))
  assert.match(error.message, /Nothing was written/)
  assert.equal(await pid(), before)
  assert.deepEqual([await written(), await closed()], [[], {}])
})

test('a statement without an answer loses its connection, and its outcome is unknown', async ({ way, open }) => {
  const { sql, closed, openNow } = open({ url: way.url, deadlineMs: 400 })
  await sql`select 1`
  way.treat('hold answers')
  const error = await failureOf(sql`select 2`)
  assert.equal(isUndone(error), false)
  assert.match(error.message, /may or may not have happened/)
  assert.deepEqual([await closed(), await openNow()], [{ deadline: 1 }, 0])
  way.treat('pass on')
  assert.equal((await sql`select 3 as three`)[0].three, 3)
})

test('while a statement hangs, nothing is sent on an idle connection that does not answer: it is closed', async ({
  way,
  open,
  written,
}) => {
  const { sql, closed } = open({ url: way.url, connections: 3, deadlineMs: 3_000 })
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`))
  assert.equal(way.count(), 3)
  way.silence()
  const hanging = failureOf(sql`select 1`)
  await pause(400)
  await Promise.all([1, 2].map((n) => sql`insert into given_up values (${n})`))
  const given = [...(await written()).sort(), await closed()]
  await sql`delete from given_up`
  assert.deepEqual(given, [1, 2, { silent: 2 }])
  await hanging
})

test('while a statement takes long, idle connections that answer serve on', async ({ open }) => {
  const { sql, closed } = open({ connections: 3 })
  const pids = async () => {
    const rows = await Promise.all([1, 2].map(() => sql`select pg_backend_pid() as pid, pg_sleep(0.3)`))
    return rows.map(([row]) => row.pid).sort()
  }
  const before = await pids()
  const slow = sql`select pg_sleep(2)`.then(() => 'over')
  await pause(400)
  const serving = await pids()
  assert.ok(serving.some((pid) => before.includes(pid)))
  assert.deepEqual([await slow, await closed()], ['over', {}])
})

test('a row of another question ends its statement and closes its connection; rows of its own pass', async ({
  open,
}) => {
  const { sql, closed } = open()
  const numbers = () => sql<{ n: number }[]>`select n from generate_series(1, 3) n`
  const [{ pid }] = await sql`select pg_backend_pid() as pid`
  assert.equal((await numbers().answering(({ n }) => n < 4)).length, 3)
  const error = await failureOf(numbers().answering(({ n }) => n < 3))
  assert.match(error.message, /another statement/)
  assert.equal(isUndone(error), false)
  assert.deepEqual(await closed(), { distrusted: 1 })
  assert.notEqual((await sql`select pg_backend_pid() as pid`)[0].pid, pid)
})

test('rows that come in parts are compared before the caller has them', async ({ open }) => {
  const { sql, closed } = open()
  const seen: number[] = []
  const numbers = sql<{ n: number }[]>`select n from generate_series(1, 9) n`
  const error = await failureOf(
    numbers.answering(({ n }) => n < 6).cursor(3, (rows) => void seen.push(...rows.map(({ n }) => n))),
  )
  assert.match(error.message, /another statement/)
  assert.deepEqual(seen, [1, 2, 3])
  assert.deepEqual(await closed(), { distrusted: 1 })
})

test('a reserved connection serves its owner alone, answers in order, and is closed when it is released', async ({
  open,
  written,
}) => {
  const { sql, closed } = open({ connections: 2 })
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

test('statements that wait when the pool ends are answered, later ones are refused', async ({ open }) => {
  const { sql, openNow } = open()
  const asked = [1, 2, 3].map((n) => sql`select ${n}::integer as n, pg_sleep(0.05)`.then(([row]) => row.n))
  const ended = sql.end()
  assert.deepEqual(await Promise.all(asked), [1, 2, 3])
  await ended
  assert.equal(await openNow(), 0)
  await assert.rejects(async () => sql`select 1`, { code: 'CONNECTION_ENDED' })
})

test('an undefined value is an error before anything is sent', async ({ open }) => {
  const { sql, openNow } = open()
  await assert.rejects(async () => sql`select ${undefined}`, TypeError)
  assert.equal(await openNow(), 0)
})

test('a connection that cannot be made fails every statement that waits for it, with its reason', async ({
  databaseUrl,
  open,
}) => {
  const url = new URL(databaseUrl)
  url.pathname = '/no_such_database'
  const { sql } = open({ url: url.href })
  const outcomes = await Promise.allSettled([1, 2, 3].map(async () => sql`select 1`))
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected')
    assert.deepEqual([outcome.reason.name, outcome.reason.code], ['PostgresError', '3D000'])
  }
})

test('statements wait while another server takes over, and are answered by it', async ({ way, open }) => {
  const { sql, openNow } = open({ url: way.url, connections: 2 })
  await sql`select 1`
  way.treat('hang up')
  way.reset()
  await until(async () => (await openNow()) === 0)
  const waiting = [1, 2, 3].map(async (n) => (await sql`select ${n}::integer as n`)[0]!.n)
  await pause(1_500)
  way.treat('pass on')
  assert.deepEqual(await Promise.all(waiting), [1, 2, 3])
})

test('when no server takes over, those that waited are refused, and the next ones at once', async ({ way, open }) => {
  const { sql, openNow } = open({ url: way.url, deadlineMs: 20_000 })
  await sql`select 1`
  way.treat('hang up')
  way.reset()
  await until(async () => (await openNow()) === 0)
  const askedFor = async () => {
    const begun = performance.now()
    const error = await sql`select 1`.then(
      () => assert.fail('it was answered'),
      (reason: unknown) => reason,
    )
    assert.deepEqual([isUnreachable(error), isUndone(error)], [true, true])
    return performance.now() - begun
  }
  const [first, second] = [await askedFor(), await askedFor()]
  assert.ok(first > 4_000 && second < 3_000, `${first} and ${second} ms`)
})

test('changes that hang leave places for reads, and all are made in the end', async ({ service, open, written }) => {
  const { sql } = open({ connections: 3 })
  const changes = await whileOpen(service.app.sql, {
    change: (other) => other`lock table given_up in exclusive mode`,
    waiting: 2,
    work: () => Promise.all([20, 21, 22, 23, 24].map((n) => sql`insert into given_up values (${n})`)),
    async meanwhile() {
      assert.equal((await sql`select 1 as one`)[0]!.one, 1)
      const reads = await Promise.all([1, 2, 3].map(async (n) => (await sql`select ${n}::integer as n`)[0]!.n))
      assert.deepEqual(reads, [1, 2, 3])
    },
  })
  assert.equal(changes.length, 5)
  assert.deepEqual(
    (await written()).filter((n) => n >= 20).toSorted((a, b) => a - b),
    [20, 21, 22, 23, 24],
  )
})

test('changes that go on hanging never take the places of reads', async ({ way, open, written }) => {
  const { sql } = open({ url: way.url, connections: 3, deadlineMs: 1_000 })
  way.treat('hold inserts')
  for (let nth = 0; nth < 6; nth++) {
    let isOver = false
    const change = failureOf(sql`insert into given_up values (30)`).finally(() => {
      isOver = true
    })
    const reads = await Promise.all([1, 2, 3].map(async (n) => (await sql`select ${n}::integer as n`)[0]!.n))
    assert.deepEqual([reads, isOver], [[1, 2, 3], false], `beside change ${nth}`)
    await change
  }
  way.treat('pass on')
  await sql`insert into given_up values (31)`
  assert.deepEqual((await written()).filter((n) => n >= 30).length, 7)
})

test('a connection that hung at its deadline keeps its place, until a change is answered', async ({
  service,
  open,
  written,
  onTestFinished,
}) => {
  const { sql } = open({ connections: 6, deadlineMs: 500 })
  const each = [1, 2, 3, 4, 5, 6]
  await Promise.all(each.map(() => sql`select pg_sleep(0.05)`))
  const serving = async () => {
    const rows = await Promise.all(each.map(() => sql`select pg_backend_pid() as pid, pg_sleep(0.1)`))
    return new Set(rows.map(([row]) => row.pid)).size
  }
  const { frozen, thaw } = await freezeBackends(service.app.sql, 'test of the door')
  onTestFinished(thaw)
  assert.equal(frozen, 6)
  await Promise.all(each.map(() => failureOf(sql`select 1`)))
  assert.equal(await serving(), 3)
  await sql`insert into given_up values (7)`
  await until(async () => (await serving()) === 6)
  assert.ok((await written()).includes(7))
})

test('a database that takes no connections is away, and nothing was written', async ({
  service,
  databaseUrl,
  open,
}) => {
  const name = `closed_${process.pid}`
  await service.app.sql.unsafe(`create database ${name} allow_connections false`)
  const url = new URL(databaseUrl)
  url.pathname = name
  const error = await open({ url: url.href }).sql`select 1`.then(
    () => assert.fail('it was answered'),
    (reason: unknown) => reason,
  )
  await service.app.sql.unsafe(`drop database ${name}`)
  assert.deepEqual([isUnreachable(error), isUndone(error)], [true, true])
})
