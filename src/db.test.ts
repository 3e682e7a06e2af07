import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDb } from './db.ts'
import { openTestService, type TestService } from './testing/harness.ts'
import { openWay } from './testing/wayToPostgres.ts'

let service: TestService

before(async () => {
  service = await openTestService()
})
after(() => service.close())

test('a pool whose statements were given up before they left works once Postgres can be reached, and writes none of them', async (t) => {
  const { sql } = service.app
  await sql`create table given_up (n integer)`
  const way = await openWay(service.app.config.databaseUrl)
  way.treat('hang up')
  const through = openDb(way.url, { connections: 2, deadlineMs: 500, name: 'test, another way' })
  t.after(async () => {
    await through.end({ timeout: 1 })
    await way.close()
  })
  for (let round = 0; round < 3; round++) {
    const given = [1, 2, 3].map(async (n) => through`insert into given_up values (${n})`)
    for (const outcome of await Promise.allSettled(given)) assert.equal(outcome.status, 'rejected')
  }
  way.treat('pass on')
  let answered: unknown
  for (let attempt = 0; attempt < 20 && !answered; attempt++) {
    answered = await through`select 1 as one`.catch(() => undefined)
  }
  const both = await Promise.all([through`select 1 as one`, through`select 2 as two`])
  const written = await sql`select n from given_up`
  assert.ok(answered, 'a statement is answered')
  assert.equal(both.length, 2)
  assert.deepEqual([...written], [])
})
