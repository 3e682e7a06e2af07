import assert from 'node:assert/strict'
import { serviceTest } from '../testing/test.ts'
import { openLog } from './log.ts'
import { readableLog } from './readableLog.ts'

const test = serviceTest()

test('an error of Postgres is logged without the row that it quotes', async ({ service }) => {
  const lines: string[] = []
  const log = openLog('info', 'test', { write: (line) => lines.push(line) })
  await service.app.sql`create table checked (mail text check (mail <> 'ada@example.com'))`
  const insert = async () => {
    await service.app.sql`insert into checked values ('ada@example.com')`
  }
  await insert().catch((err: unknown) => log.error({ err, request_id: 'req_1' }, 'request failed'))
  const { err, request_id, level } = JSON.parse(lines.join(''))
  assert.equal(level, 'error')
  assert.match(err.message, /violates check constraint "checked_mail_check"/)
  assert.equal(request_id, 'req_1')
  assert.doesNotMatch(lines.join(''), /ada@example\.com/)
})

test('at a terminal a line is words; what came from outside cannot move the cursor', () => {
  let shown = ''
  const log = openLog('info', 'api', readableLog({ write: (text) => (shown += text) }))
  log.info({ port: 3000 }, 'listening')
  assert.match(shown, /^\d\d:\d\d:\d\d info {2}api listening port=3000\n$/)
  shown = ''
  log.error({ err: new Error('\u001b[2Jgone'), path: '/\u001b[2J' }, 'request failed')
  assert.match(shown, /^\S+ error api request failed path="\/\\u001b\[2J"\n {2}Error: \\u001b\[2Jgone\n {2} +at /)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  assert.doesNotMatch(shown, /\u001b/)
})
