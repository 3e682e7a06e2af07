import assert from 'node:assert/strict'
import { directly } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import { offsetMsOf, readClockOffsetMs } from './clockOffset.ts'
import { openDb } from './postgres.ts'

const test = serviceTest()

test('the server looked at its clock in the middle; an answer that took long says nothing', () => {
  assert.equal(offsetMsOf({ askedAt: 1_000, serverAt: 1_010, answeredAt: 1_020 }), 0)
  assert.equal(offsetMsOf({ askedAt: 1_000, serverAt: 1_610, answeredAt: 1_020 }), 600)
  assert.equal(offsetMsOf({ askedAt: 1_000, serverAt: 410, answeredAt: 1_020 }), -600)
  assert.equal(offsetMsOf({ askedAt: 1_000, serverAt: 1_100, answeredAt: 1_201 }), undefined)
})

test('a server whose clock is an hour ahead is seen', async ({ service, onTestFinished }) => {
  const way = await openWay(directly(service.app.config.databaseUrl))
  const sql = openDb(way.url, { connections: 1, deadlineMs: 5_000, name: 'test of clocks' })
  onTestFinished(async () => {
    await sql.end({ timeout: 1 })
    await way.close()
  })
  const hoursAhead = async () => {
    for (;;) {
      const offset = await readClockOffsetMs(sql)
      if (offset !== undefined) return Math.round(offset / 3_600_000)
    }
  }
  assert.equal(await hoursAhead(), 0)
  way.forge((answer) => answer.replaceAll(/\d{10}(?=\.\d)/g, (seconds) => String(Number(seconds) + 3_600)))
  assert.equal(await hoursAhead(), 1)
})
