import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { newId, type Uuid } from '../shapes/ids.ts'
import { spliceFeed } from './splice.ts'
import { latestChange } from './versions.ts'

type Event = { id: Uuid; sequence: number }

function versionsOf(events: readonly Event[]): Buffer {
  const parts = events.map(({ id, sequence }) => {
    const numbers = Buffer.alloc(12)
    numbers.writeInt32BE(sequence)
    numbers.writeBigInt64BE(BigInt(sequence) * 1_000_000n, 4)
    return Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), numbers])
  })
  return Buffer.concat(parts)
}

const linesOf = ({ id, sequence }: Event) => `${id} ${'é'.repeat(sequence)}\r\n`

/** As a statement answers that read only the events in `given`. */
function feedOf(events: readonly Event[], given: readonly Event[], head = 'head\r\n') {
  const written: Uuid[] = []
  const lines = new Map(given.map((event) => [event.id, linesOf(event)]))
  const write = (id: Uuid) => {
    const found = lines.get(id)
    if (found !== undefined) written.push(id)
    return found
  }
  return { written, versions: versionsOf(events), frame: [head, 'tail\r\n'] as const, write }
}

const event = () => ({ id: newId(), sequence: 0 })

test('only what has changed is written, and what was removed is gone', async () => {
  const [a, b, c, d, e] = Array.from({ length: 5 }, event)
  const last = await spliceFeed(undefined, feedOf([a!, b!, c!, d!], [a!, b!, c!, d!]))
  const changed = { ...c!, sequence: 3 }
  const next = feedOf([a!, changed, e!, d!], [changed, e!], 'longer head\r\n')
  const feed = await spliceFeed(last, next)
  assert.equal(feed!.body.toString(), `longer head\r\n${[a!, changed, e!, d!].map(linesOf).join('')}tail\r\n`)
  assert.deepEqual(next.written, [c!.id, e!.id])
})

test('an event that is neither remembered nor read is not left out', async () => {
  const [a, b] = [event(), event()]
  const last = await spliceFeed(undefined, feedOf([a], [a]))
  assert.equal(await spliceFeed(last, feedOf([a, b], [])), undefined)
  assert.equal(await spliceFeed(last, feedOf([{ ...a, sequence: 1 }], [])), undefined)
  assert.equal(await spliceFeed(undefined, feedOf([a], [])), undefined)
})

test('whatever is changed, added, moved and removed, the text is the one that is written whole', async () => {
  const edit = fc.record({
    kind: fc.constantFrom('change', 'add', 'remove', 'move' as const),
    at: fc.nat(30),
    to: fc.nat(30),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 5 }),
      async (count, rounds) => {
        let events = Array.from({ length: count }, event)
        let last = await spliceFeed(undefined, feedOf(events, events))
        for (const edits of rounds) {
          const before = new Set(events)
          for (const { kind, at, to } of edits) {
            const place = at % (events.length + 1)
            const known = events[place]
            if (kind === 'add') events = events.toSpliced(place, 0, event())
            if (kind === 'remove') events = events.toSpliced(place, 1)
            if (kind === 'change' && known) events = events.with(place, { ...known, sequence: known.sequence + 1 })
            if (kind === 'move' && known) {
              events = events
                .toSpliced(place, 1)
                .toSpliced(to % events.length, 0, { ...known, sequence: known.sequence + 1 })
            }
          }
          last = await spliceFeed(
            last,
            feedOf(
              events,
              events.filter((one) => !before.has(one)),
            ),
          )
          assert.equal(last?.body.toString(), `head\r\n${events.map(linesOf).join('')}tail\r\n`)
        }
      },
    ),
  )
})

test('the latest change is found in milliseconds', () => {
  assert.equal(latestChange(Buffer.alloc(0)), undefined)
  const versions = versionsOf([5, 9, 7].map((sequence) => ({ id: newId(), sequence })))
  assert.equal(latestChange(versions)?.toISOString(), '2000-01-01T00:00:09.000Z')
})
