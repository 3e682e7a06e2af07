import assert from 'node:assert/strict'
import { test } from 'vitest'
import { compact, listAnswer, successResult, textOf } from './answer.ts'

test('a success says the same twice, as text without spaces and as a structure', () => {
  const result = successResult({ now: 'today', list: [1] }, 'req_1')
  assert.deepEqual(result, {
    structuredContent: { now: 'today', list: [1] },
    content: [{ type: 'text', text: '{"now":"today","list":[1]}' }],
    _meta: { 'agent-calendar/request_id': 'req_1' },
  })
})

const hidden: [what: string, stored: string, shown: string][] = [
  ['control characters', 'a\u0000\u0007\u001b[31mb\u007f\u0085c\r\nd\te', 'a[31mbc\nd\te'],
  ['overrides of direction', '\u202eabc\u202c \u2066d\u2069\u200e\u061c', 'abc d'],
  ['characters without width', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
  ['selectors beyond the first', 'a\ufe0f\ufe01\ufe02b\u{e0101}\u{e0120}', 'a\ufe0fb'],
  ['signs that look like nothing', 'a\u00adb\u034fc\u115fd\u3164e\uffa0f', 'abcdef'],
  ['tags', `book${String.fromCodePoint(0xe0001, 0xe0069, 0xe0067, 0xe006e, 0xe007f)}`, 'book'],
]
for (const [what, stored, shown] of hidden) {
  test(`text is shown without ${what}, names of fields too`, () => {
    assert.deepEqual(JSON.parse(textOf({ a: { metadata: { [stored]: [stored] } } })), {
      a: { metadata: { [shown]: [shown] } },
    })
  })
}

test('other signs stay as they are', () => {
  const text = 'Ärger 日本 🎉 ❤\ufe0f é\u0301 \u2014 "quoted" \\'
  assert.equal(JSON.parse(textOf({ text })).text, text)
})

test('a description ends after 8,000 characters, and says so', () => {
  const whole = JSON.parse(textOf({ event: { description: 'x'.repeat(8_000) } }))
  assert.deepEqual(whole, { event: { description: 'x'.repeat(8_000) } })
  const cut = JSON.parse(textOf({ event: { description: 'x'.repeat(8_001) } }))
  assert.deepEqual(cut, { event: { description: 'x'.repeat(8_000), description_truncated: true } })
})

test('a description is no longer than the answer may be', () => {
  for (const sign of ['日', '🎉', '"', '\n']) {
    const event = { title: sign.repeat(100), description: sign.repeat(20_000), metadata: { a: 'x'.repeat(16_000) } }
    const text = textOf({ event })
    assert.ok(Buffer.byteLength(text) <= 24_000, sign)
    const shown = JSON.parse(text).event
    assert.deepEqual(shown.metadata, event.metadata)
    assert.equal(shown.description_truncated, true)
    assert.ok(shown.description.isWellFormed())
  }
})

test('a list ends where its items take too much room, and says where it goes on', () => {
  const items = Array.from({ length: 100 }, (_, nth) => ({ nth, title: '日'.repeat(300) }))
  const rest = { now: 'today' }
  const answer = listAnswer('events', { items, total: 250, offset: 50 }, rest) as Record<string, unknown[]>
  const text = textOf(answer)
  assert.ok(Buffer.byteLength(text) <= 24_000)
  assert.ok(Buffer.byteLength(text) > 22_000)
  assert.equal(answer.next_offset, 50 + answer.events!.length)
  assert.equal(answer.total, 250)
})

test('a list that is whole has no further offset', () => {
  assert.deepEqual(listAnswer('events', { items: [1, 2], total: 4, offset: 2 }), { events: [1, 2], total: 4 })
  assert.deepEqual(listAnswer('events', { items: [1, 2], total: 5, offset: 2 }), {
    events: [1, 2],
    total: 5,
    next_offset: 4,
  })
  assert.deepEqual(listAnswer('events', { items: [], total: 5, offset: 9 }), { events: [], total: 5 })
})

test('one item that is too large is shown all the same, with a shorter description', () => {
  const items = [{ description: '日'.repeat(9_000) }, { description: 'second' }]
  const answer = listAnswer('agents', { items, total: 2, offset: 0 })
  const text = textOf(answer)
  assert.ok(Buffer.byteLength(text) <= 24_000)
  const shown = JSON.parse(text)
  assert.equal(shown.agents.length, 1)
  assert.equal(shown.next_offset, 1)
})

test('a record leaves out what is null or empty', () => {
  assert.deepEqual(compact({ a: null, b: '', c: [], d: {}, e: undefined, f: 0, g: false, h: 'x' }), {
    f: 0,
    g: false,
    h: 'x',
  })
})
