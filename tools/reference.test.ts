import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { routes } from '../api/routes.ts'
import { environment } from '../src/config.ts'
import { eventTypes } from '../src/webhooks/catalog.ts'
import { folder, pages } from './reference.ts'

for (const [file, text] of Object.entries(pages)) {
  test(`docs/reference/${file} is what the code says`, () => {
    const path = join(folder, file)
    const kept = existsSync(path) ? readFileSync(path, 'utf8') : ''
    assert.equal(kept, text(), 'it is out of date: run npm run reference')
  })
}

test('docs/reference holds nothing but generated pages', () => {
  assert.deepEqual(readdirSync(folder).sort(), Object.keys(pages).sort())
})

/** The first cells of the rows of a page, without those of other tables. */
const named = (file: string, pattern: RegExp) =>
  [...pages[file]!().matchAll(pattern)].map((match) => match.slice(1).join(' '))

test('every endpoint, every event type and every variable has a row', () => {
  assert.deepEqual(
    new Set(
      named('endpoints.md', /^\| `([A-Z]+)` `(\/(?:v1|book|booking|ical|connect|approve|invitations)(?:\/[^`]+)?)`/gm),
    ),
    new Set(routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)),
  )
  assert.deepEqual(named('webhook-events.md', /^\| `([a-z_]+\.[a-z_]+)`/gm), [...eventTypes])
  assert.deepEqual(named('environment.md', /^\| `([A-Z_]+)`/gm), Object.keys(environment.shape))
})

test('every variable says what it is for', () => {
  const silent = Object.entries(environment.shape).filter(([, schema]) => !schema.description)
  assert.deepEqual(
    silent.map(([name]) => name),
    [],
  )
})
