// A reader of the change feed that holds what it gets against the promises of the feed.
import assert from 'node:assert/strict'
import type { Answer } from './answer.ts'

type FeedEntry = {
  id: string
  change_id: string
  position: number
  type: string
  at: string
  calendar_id: string | null
  resource: { type: string; id: string }
  revision: number | null
  payload?: Record<string, unknown>
}

type Page = { data: FeedEntry[]; cursor: string; has_more: boolean }

/** Asks for a page; repeats what failed because the service was away. */
type AskPage = (query: Record<string, string>) => Promise<Answer>

export type FeedReader = {
  entries: FeedEntry[]
  cursor: string
  /** The next page. */
  step(query?: Record<string, string>): Promise<Page>
  /** Reads to the end. */
  finish(): Promise<void>
}

const chance = (percent: number) => Math.random() * 100 < percent

/** `filter`: in every request of its chain. */
export function openFeedReader(ask: AskPage, cursor: string, filter: Record<string, string> = {}): FeedReader {
  const reader: FeedReader = {
    entries: [],
    cursor,
    async step(query = {}) {
      const page = await pageOf({ ...filter, ...query, cursor: reader.cursor })
      checkWhole(page.data)
      if (chance(10)) await askAgain(page)
      reader.entries.push(...page.data)
      reader.cursor = page.cursor
      return page
    },
    async finish() {
      for (let empty = 0; empty < 2; ) {
        const { data, has_more } = await reader.step({ limit: '200' })
        if (data.length === 0 && !has_more) empty++
      }
    },
  }

  async function pageOf(query: Record<string, string>): Promise<Page> {
    const { status, body } = await ask(query)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** Promise (f): one cursor shows at least the same entries, whatever was committed since. */
  async function askAgain({ data }: Page) {
    const seen = new Set<string>()
    for (let query = { ...filter, cursor: reader.cursor, limit: '200' }, isMore = true; isMore; ) {
      const page = await pageOf(query)
      for (const { id } of page.data) seen.add(id)
      isMore = page.has_more
      query = { ...query, cursor: page.cursor }
    }
    for (const { id } of data) assert.ok(seen.has(id), `${id} was there before`)
  }

  return reader
}

/** Promise (b): the entries of a change stand together, in their order, and all of them are there (a filter may leave some out). */
function checkWhole(data: readonly FeedEntry[]): void {
  const over = new Set<string>()
  for (const [nth, entry] of data.entries()) {
    const before = data[nth - 1]
    if (before?.change_id === entry.change_id) assert.ok(before.position < entry.position, entry.id)
    else {
      assert.ok(!over.has(entry.change_id), `${entry.change_id} is told in two pieces`)
      over.add(entry.change_id)
    }
  }
}

/** Promises (a) and (b) over the whole chain: `expected` are the ids of all entries for it, in no order. */
export function checkComplete(entries: readonly FeedEntry[], expected: readonly string[]): void {
  checkWhole(entries)
  const ids = entries.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, 'an entry came twice')
  const read = new Set(ids)
  const known = new Set(expected)
  const lacking = expected.filter((id) => !read.has(id))
  const unknown = ids.filter((id) => !known.has(id))
  assert.deepEqual({ lacking, unknown }, { lacking: [], unknown: [] }, `lacks ${lacking}, has besides ${unknown}`)
}

/** Promise (c): of each calendar the revision never falls. */
export function checkRevisions(entries: readonly FeedEntry[]): void {
  const last = new Map<string, number>()
  for (const { id, calendar_id, revision } of entries) {
    if (calendar_id === null || revision === null) continue
    assert.ok(revision >= (last.get(calendar_id) ?? 0), `the revision falls at ${id}`)
    last.set(calendar_id, revision)
  }
}

/** Promise (d): `answered` are the things that one client made one after the other. */
export function checkAnswered(entries: readonly FeedEntry[], answered: readonly string[]): void {
  const made = new Set(answered)
  const told = entries.filter(({ type, resource }) => type === 'event.created' && made.has(resource.id))
  assert.deepEqual(
    told.map(({ resource }) => resource.id),
    answered,
  )
}

/** Promise (g): what a mirror holds that began with `listed` and followed these entries. */
export function mirrorOf(listed: readonly { id: string }[], entries: readonly FeedEntry[]): Map<string, unknown> {
  const mirror = new Map<string, unknown>(listed.map((event) => [event.id, event]))
  for (const { type, resource, payload } of entries) {
    if (type === 'event.created' || type === 'event.updated') mirror.set(resource.id, payload?.event)
    if (type === 'event.deleted') mirror.delete(resource.id)
  }
  return mirror
}
