// Every statement gets its own answer, whatever happens to Postgres, the network, and the process itself.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Asked, makeTokens, startAsking } from '../testing/askers.ts'
import { freezeBackends } from '../testing/frozenBackends.ts'
import { directly } from '../testing/harness.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import { openDb, type Sql } from './postgres.ts'

const connections = 3
/** More than there are connections, so that a line forms. */
const askers = 20

/** Less than the minute after which an idle connection closes by itself. */
const maxWaitMs = 45_000

async function until(isDone: () => boolean) {
  const startedAt = performance.now()
  while (!isDone()) {
    assert.ok(performance.now() - startedAt < maxWaitMs, `${isDone}`)
    await pass(10)
  }
}

const none = { foreign: 0, lost: 0, done: 0, twice: 0 }

let opened = 0

const test = serviceTest()
  .extend('databaseUrl', perFile, async ({ service }) => {
    await makeTokens(service.app.sql)
    return directly(service.app.config.databaseUrl)
  })
  .extend('way', async ({ databaseUrl }, { onCleanup }) => {
    const way = await openWay(databaseUrl)
    onCleanup(async () => {
      await way.close()
    })
    return way
  })
  .extend('open', ({ databaseUrl, onTestFinished }) => ({ url = databaseUrl, deadlineMs = 600 } = {}) => {
    const name = `asked ${opened++}`
    const sql = openDb(url, { connections, deadlineMs, name })
    onTestFinished(() => sql.end({ timeout: 1 }))
    return { sql, name }
  })
  // Asks all the time, is disturbed, and continues until it is answered again.
  .extend('askThrough', perFile, ({ service }) => async (sql: Sql, disturb: (asked: Asked) => Promise<void>) => {
    await service.app.sql`truncate tokens`
    const { asked, stop } = startAsking(sql, askers)
    const answered = (more: number) => {
      const max = asked.own.length + more
      return until(() => asked.own.length >= max)
    }
    await answered(100)
    await disturb(asked)
    await answered(100)
    return stop()
  })
  // No call gets another's answer; an answered change is written, and a change known not to have happened is not.
  .extend('assertHonest', perFile, ({ service }) => async ({ own, foreign, undone }: Asked) => {
    const rows = await service.app.sql<{ token: string }[]>`select token from tokens`
    const written = new Set(rows.map(({ token }) => token))
    const lost = own.filter((token) => !written.has(token)).length
    const done = undone.filter((token) => written.has(token)).length
    assert.deepEqual({ foreign: foreign.length, lost, done, twice: rows.length - written.size }, none)
  })

/** As many statements run at once as there may be connections: no connection is lost. */
async function assertWhole(sql: Sql) {
  const pids = new Set<number>()
  for (let round = 0; round < 20 && pids.size < connections; round++) {
    pids.clear()
    const together = Array.from({ length: connections }, () => sql`select pg_backend_pid() as pid, pg_sleep(0.1)`)
    for (const [row] of await Promise.all(together).catch(() => [])) pids.add(row.pid)
  }
  assert.equal(pids.size, connections)
}

test('backends that stall for less than the deadline: every statement waits, and is answered', async ({
  service,
  open,
  askThrough,
  assertHonest,
}) => {
  const { sql, name } = open({ deadlineMs: 15_000 })
  const asked = await askThrough(sql, async () => {
    const backends = await freezeBackends(service.app.sql, name)
    await pass(500)
    backends.thaw()
  })
  await assertHonest(asked)
  assert.deepEqual([asked.undone, asked.unknown], [[], []])
  await assertWhole(sql)
})

test('backends that stall for longer than the deadline: a late answer reaches nobody', async ({
  service,
  open,
  askThrough,
  assertHonest,
  onTestFinished,
}) => {
  const { sql, name } = open()
  const asked = await askThrough(sql, async ({ unknown }) => {
    for (let round = 0; round < 3; round++) {
      const before = unknown.length
      const backends = await freezeBackends(service.app.sql, name)
      onTestFinished(() => backends.thaw())
      assert.ok(backends.frozen > 0)
      await until(() => unknown.length > before)
      await pass(200)
      backends.thaw()
      await pass(200)
    }
  })
  await assertHonest(asked)
  await assertWhole(sql)
})

test('backends that are ended: their statements fail, the others do not notice', async ({
  service,
  open,
  askThrough,
  assertHonest,
}) => {
  const { sql, name } = open({ deadlineMs: 15_000 })
  const asked = await askThrough(sql, async ({ own }) => {
    for (let round = 0; round < 10; round++) {
      const before = own.length
      await service.app.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`
      await until(() => own.length >= before + 20)
    }
  })
  await assertHonest(asked)
  await assertWhole(sql)
})

const treatments = ['hang up', 'break off', 'half close', 'lose answers', 'hold answers'] as const

for (const treatment of treatments) {
  test(`after a fault of the network, “${treatment}”, nobody gets another's answer`, async ({
    way,
    open,
    askThrough,
    assertHonest,
  }) => {
    const { sql } = open({ url: way.url })
    const asked = await askThrough(sql, async ({ undone, unknown }) => {
      for (let round = 0; round < 3; round++) {
        const failed = undone.length + unknown.length
        way.treat(treatment)
        if (treatment === 'hang up') way.reset()
        await until(() => undone.length + unknown.length >= failed + askers)
        way.treat('pass on')
        await pass(200)
      }
    })
    await assertHonest(asked)
    await assertWhole(sql)
    assert.ok(way.count() <= connections, `${way.count()} connections are open`)
  })
}

test('a statement waits for an answer that is late by less than the deadline', async ({
  way,
  open,
  askThrough,
  assertHonest,
}) => {
  const { sql } = open({ url: way.url, deadlineMs: 15_000 })
  const asked = await askThrough(sql, async () => {
    way.treat('hold answers')
    await pass(400)
    way.treat('pass on')
  })
  await assertHonest(asked)
  assert.deepEqual([asked.undone, asked.unknown], [[], []])
})

test('an answer that nobody asked for closes its connection', async ({ way, open }) => {
  const { sql } = open({ url: way.url, deadlineMs: 5_000 })
  const ask = async (token: string) => (await sql`select ${token}::text as token, pg_backend_pid() as pid`)[0]
  const first = await ask('one')
  way.treat('repeat answers')
  assert.equal((await ask('two')).token, 'two')
  way.treat('pass on')
  await until(() => way.count() === 0)
  const last = await ask('three')
  assert.equal(last.token, 'three')
  assert.notEqual(last.pid, first.pid)
})

test('a process that is paused for longer than the deadline gets its own answers when it continues', async ({
  service,
  databaseUrl,
  assertHonest,
}) => {
  await service.app.sql`truncate tokens`
  const child = fork(fileURLToPath(new URL('../testing/pausedAsker.ts', import.meta.url)), [databaseUrl])
  await once(child, 'message')
  for (let round = 0; round < 4; round++) {
    child.kill('SIGSTOP')
    await pass(800)
    child.kill('SIGCONT')
    await pass(300)
  }
  // Its end may be known here before its last message is read.
  const ended = once(child, 'exit')
  child.send('stop')
  const [asked] = (await once(child, 'message')) as [Asked]
  await ended
  assert.ok(asked.own.length > 50)
  await assertHonest(asked)
})
