import assert from 'node:assert/strict'
import { test } from 'vitest'
import { z } from 'zod'
import { readBusy } from '../icalendar/readBusy.ts'
import { fieldsOf, readJson } from './jsonAnswer.ts'
import { readCondition, readMultistatus } from './multistatus.ts'

const answer = (props: string) =>
  Buffer.from(
    `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/a</d:href><d:propstat><d:prop>${props}</d:prop></d:propstat></d:response></d:multistatus>`,
  )

test('an element has at most 64 attributes and 64 KB of text, but for the data of an object', () => {
  const attributes = (count: number) => Array.from({ length: count }, (_, nth) => `a${nth}=""`).join(' ')
  const text = (length: number) => 'x'.repeat(length)
  for (const [props, kind] of [
    [`<d:x ${attributes(64)}/>`, 'multistatus'],
    [`<d:x ${attributes(65)}/>`, 'malformed'],
    [`<d:displayname>${text(65_536)}</d:displayname>`, 'multistatus'],
    [`<d:displayname>${text(65_537)}</d:displayname>`, 'malformed'],
    [`<c:calendar-data>${text(1_000_000)}</c:calendar-data>`, 'multistatus'],
    ['<d:x/>'.repeat(29_000), 'multistatus'],
    ['<d:x/>'.repeat(31_000), 'too_large'],
  ] as const) {
    assert.equal(readMultistatus(answer(props), undefined).kind, kind, props.slice(0, 30))
  }
})

test('a refusal names its condition', () => {
  assert.equal(
    readCondition(Buffer.from('<d:error xmlns:d="DAV:"><d:need-privileges/></d:error>'), undefined),
    '{DAV:}need-privileges',
  )
  assert.equal(readCondition(Buffer.from('no XML'), undefined), undefined)
})

test('of JSON the fields of a schema are kept, if they are not too many', () => {
  const fields = fieldsOf(
    z.object({ value: z.array(z.object({ id: z.string(), at: z.object({ zone: z.string() }).nullish() })) }),
  )
  const read = (value: unknown) => readJson(Buffer.from(JSON.stringify(value)), fields)
  const item = { id: 'a', at: { zone: 'UTC', more: 1 }, more: [1] }
  assert.deepEqual(read({ value: [item], more: {} }), {
    kind: 'json',
    value: { value: [{ id: 'a', at: { zone: 'UTC' } }] },
  })
  assert.deepEqual(read({ value: { id: 'a' } }), { kind: 'json', value: { value: {} } })
  assert.equal(read({ value: Array(40_000).fill(item) }).kind, 'too_large')
  assert.equal(readJson(Buffer.from('{'), fields).kind, 'malformed')
})

test('of an object its busy times are kept', () => {
  const object =
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260105T090000Z\r\nDTEND:20260105T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR'
  const bounds = { zone: 'UTC', from: new Date('2026-01-01'), until: new Date('2027-01-01') }
  const { times } = readBusy(Buffer.from(object), bounds) as { times: Float64Array }
  assert.deepEqual([...times], [Date.parse('2026-01-05T09:00:00Z'), Date.parse('2026-01-05T10:00:00Z')])
})
