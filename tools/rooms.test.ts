import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, test } from 'vitest'
import { leadsTo, readRooms, upwardArrows } from './rooms.ts'

const root = mkdtempSync(join(tmpdir(), 'rooms-'))
afterAll(() => rmSync(root, { recursive: true }))

const files = {
  'src/events/create.ts': "import { x } from '../calendars/calendars.ts'\nimport type { y } from '../app.ts'\n",
  'src/events/create.test.ts': "import { x } from '../booking/book.ts'\n",
  'src/calendars/calendars.ts': "import type { z } from '../timers/timers.ts'\n",
  'src/timers/timers.ts': "const { fire } = await import('../events/fire.ts')\n",
  'src/testing/factories.ts': "import '../events/create.ts'\n",
  'src/app.ts': '\n\n\n',
  'ops/cli/main.ts': "import { a } from '../migrate.ts'\nimport { b } from './text.ts'\n",
  'ops/compose/image.ts': "import { a } from '../migrate.ts'\n",
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

test('a room has the size and the imports of its product files', () => {
  const found = readRooms(root).map(({ imports, ...room }) => ({ ...room, imports: [...imports] }))
  assert.deepEqual(found, [
    { name: 'ops/cli', files: 1, lines: 2, imports: ['ops'] },
    { name: 'src/events', files: 1, lines: 2, imports: ['src/calendars', 'src/app.ts'] },
    { name: 'src/calendars', files: 1, lines: 1, imports: ['src/timers'] },
    { name: 'src/timers', files: 1, lines: 1, imports: ['src/events'] },
    { name: 'src/app.ts', files: 1, lines: 3, imports: [] },
  ])
})

test('an arrow upward is found, and whether it closes a circle', () => {
  const found = readRooms(root)
  assert.deepEqual(upwardArrows(found), [['src/timers', 'src/events']])
  assert.equal(leadsTo(found, 'src/events', 'src/timers'), true)
  assert.equal(leadsTo(found, 'src/app.ts', 'src/events'), false)
})

test('no arrow of the product leads upward', () => {
  assert.deepEqual(upwardArrows(readRooms(resolve(import.meta.dirname, '..'))), [])
})
