import assert from 'node:assert/strict'
import { serviceTest } from '../testing/test.ts'
import { openLog } from './log.ts'

const test = serviceTest()

test('an error of Postgres is logged without the row that it quotes', async ({ service }) => {
  const lines: string[] = []
  const log = openLog('info', 'test', { write: (line) => lines.push(line) })
  await service.app.sql`create table checked (mail text check (mail <> 'ada@example.com'))`
  const insert = async () => {
    await service.app.sql`insert into checked values ('ada@example.com')`
  }
  await insert().catch((err: unknown) => log.error({ err, request_id: 'req_1' }, 'request failed'))
  const { err, request_id } = JSON.parse(lines.join(''))
  assert.match(err.message, /violates check constraint "checked_mail_check"/)
  assert.equal(request_id, 'req_1')
  assert.doesNotMatch(lines.join(''), /ada@example\.com/)
})
