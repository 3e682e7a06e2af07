// Feeds as the large producers write them, and as the careless ones do, each with the events it means. The expectations
// were worked out apart from this code: by hand, or with python-icalendar and python-dateutil.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { type FeedParser, type ImportedEvent, openFeedParser } from './feedParser.ts'
import { totalOf } from './unread.ts'

type Expected = Partial<Omit<ImportedEvent, 'start' | 'end'>> & { start: string; end: string }
/** Keys that are left out: no series, no description, not all day, confirmed. */
type Expectation = { zone: string; from: string; until: string; unread: number; events: Expected[] }

const corpus = join(import.meta.dirname, 'corpus')
const names = globSync('*.ics', { cwd: corpus }).map((file) => basename(file, '.ics'))

let parser: FeedParser
beforeAll(() => {
  parser = openFeedParser()
})
afterAll(() => parser.close())

const written = ({ start, end, ...event }: ImportedEvent) => ({
  ...event,
  start: start.toISOString(),
  end: end.toISOString(),
})

const inOrder = <T extends { start: string; uid?: string; recurrenceId?: string | null }>(events: T[]): T[] =>
  events.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
const keyOf = ({ start, uid, recurrenceId }: { start: string; uid?: string; recurrenceId?: string | null }) =>
  `${start} ${uid} ${recurrenceId}`

test('the corpus is there', () => assert.ok(names.length >= 60, String(names.length)))

for (const name of names.sort()) {
  test(`${name}.ics holds the events it means`, async () => {
    const expected: Expectation = JSON.parse(readFileSync(join(corpus, `${name}.json`), 'utf8'))
    const { zone, from, until, unread, events } = expected
    const feed = readFileSync(join(corpus, `${name}.ics`))
    const reading = await parser.parse(feed, { zone, from: new Date(from), until: new Date(until) })
    assert.equal(reading.kind, 'parsed')
    const defaults = { recurrenceId: null, description: null, allDay: false, status: 'confirmed' }
    assert.deepEqual(
      inOrder(reading.kind === 'parsed' ? reading.events.map(written) : []),
      inOrder(events.map((event) => ({ ...defaults, ...event }))),
    )
    assert.equal(reading.kind === 'parsed' && totalOf(reading.unread), unread)
  })
}
