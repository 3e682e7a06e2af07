import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { environment } from '../src/config.ts'
import { blocksOf, read, section } from './documents/markdown.ts'
import { openReader, type Reader } from './documents/shell.ts'

const readme = read('README.md')
const walk = section(readme, '## Your first signed webhook')
const blocks = blocksOf(walk)
const holdMs = Number(/^SOON=.*Date\.now\(\) \+ ([\d_]+)\)/m.exec(walk)![1]!.replace('_', ''))

let reader: Reader
beforeAll(async () => {
  reader = await openReader()
})
afterAll(() => reader.close())

test('README.md is short', () => {
  assert.ok(readme.split('\n').length <= 160)
})

test('all commands of README.md stand where they are tried', () => {
  const elsewhere = blocksOf(readme).slice(blocks.length)
  // The configuration of an MCP host.
  assert.deepEqual(
    elsewhere.map(({ language, text }) => [language, Object.keys(JSON.parse(text))]),
    [['json', ['mcpServers']]],
  )
})

test('the first command starts the service with a variable that exists', () => {
  const [, variable] = /^([A-Z_]+)=127\.0\.0\.1 npm start\n$/.exec(blocks[0]!.text)!
  assert.ok(variable! in environment.shape)
})

test('the commands of README.md end with a signed event.hold_expired', async () => {
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)
  assert.equal(commands.length, 4)
  const printed = await reader.run([...commands.slice(1), 'echo "$CALENDAR $HOLD"'].join('\n'))
  const [calendar, hold] = printed.trim().split(' ')
  const lines = await reader.receiver()

  await reader.service.drain()
  const created = (await lines.next()).value
  assert.ok(
    created.startsWith(`event.hold_created genuine {"calendar_id":"${calendar}","event":{"id":"${hold}",`),
    created,
  )
  await reader.service.clock.set(new Date(Date.now() + holdMs))
  await reader.service.drain()
  const expired = { calendar_id: calendar, event_id: hold }
  assert.equal((await lines.next()).value, `event.hold_expired genuine ${JSON.stringify(expired)}`)

  const shown = blocks.at(-1)!.text.split('\n').filter(Boolean)
  assert.deepEqual(
    shown.map((line) => line.split(' {')[0]),
    ['event.hold_created genuine', 'event.hold_expired genuine'],
  )
})
