import assert from 'node:assert/strict'
import { test } from 'vitest'
import { idToLookUp, type Json, type Origins, outsideOf } from './records.ts'

const event = 'evt_01k9xr8m3fe8tbc4x9m2v7h5qd'
const none: Origins = { found: new Map() }
const ada = { by: 'guest', name: 'Ada  G' } as const
const byAda: Origins = { found: new Map([[event, ada]]) }
const outside = (record: Json, origins = none) => Object.fromEntries(outsideOf(record, origins))

test('an import is from outside with each of its texts; times, ids and what is null stay', () => {
  const record = {
    id: event,
    source: 'external_ical',
    title: 'T',
    description: null,
    startTime: '2026-01-01T00:00:00.000Z',
  }
  const more = {
    location: 'L',
    conference: { url: 'https://x', pin: '1' },
    labels: ['a', ''],
    links: [{ url: 'u', title: 't' }],
  }
  assert.deepEqual(outside({ ...record, ...more }), {
    ...{ title: 'import', location: 'import', 'conference.url': 'import', 'conference.pin': 'import' },
    ...{ 'labels.0': 'import', 'links.0.url': 'import', 'links.0.title': 'import' },
  })
  assert.deepEqual(outside({ id: event, title: 'T', read_only: true }), { title: 'import' })
})

test('of a booking the words of the guest are from outside, and the title that has their name', () => {
  const metadata = {
    booking_page_id: 'bkp_01k9xr8m3fe8tbc4x9m2v7h5qd',
    team: 'ours',
    booking: { name: 'Ada  G', notes: null, answers: [{ answer: 'x' }] },
  }
  const guests = { 'metadata.booking.name': 'guest', 'metadata.booking.answers.0.answer': 'guest' }
  assert.deepEqual(outside({ id: event, source: 'internal', title: 'Chat: Ada G', metadata }), {
    title: 'guest',
    ...guests,
  })
  assert.deepEqual(outside({ id: event, source: 'internal', title: 'Ours', metadata }), guests)
  // A key may write such a field itself.
  assert.deepEqual(outside({ id: event, title: 'Chat: Ada', metadata: { booking: { name: 'Ada' } } }), {})
  // Without metadata the row says it.
  assert.deepEqual(outside({ event_id: event, title: 'Chat: Ada G' }, byAda), { title: 'guest' })
  assert.deepEqual(outside({ arguments: { event_id: event }, note: 'Chat: Ada G' }, byAda), { note: 'guest' })
  assert.deepEqual(outside({ event_id: event, title: 'Ours' }, byAda), {})
})

test('a request for approval quotes the event that it is about', () => {
  const id = 'apr_01k9xr8m3fe8tbc4x9m2v7h5qd'
  const changes = [
    { field: 'title', before: 'Chat: Ada G', after: 'Ours' },
    { field: 'status', before: 'confirmed', after: 'cancelled' },
  ]
  const origins: Origins = { found: new Map([[id, ada]]) }
  const record = { id, summary: 'Change “Chat: Ada G”', changes }
  assert.deepEqual(outside(record, origins), { summary: 'guest', 'changes.0.before': 'guest' })
  assert.deepEqual(outside(record), {})
})

test('an entry of a history has the origin of its event, field by field', () => {
  const changes = [
    { field: 'title', from: 'Chat: Ada G', to: 'Ours' },
    { field: 'metadata', from: { team: 'ours', booking: { name: 'Ada  G' } }, to: {} },
  ]
  const record = { change_id: 'chg_01k9xr8m3fe8tbc4x9m2v7h5qd', changes }
  assert.deepEqual(outside(record, { ...none, ofEntries: ada }), {
    ...{ 'changes.0.from': 'guest', 'changes.1.from.booking.name': 'guest' },
  })
  assert.deepEqual(outside(record), {})
})

test('only a record that does not say all itself is looked up', () => {
  assert.equal(idToLookUp({ id: event, source: 'external_ical', title: 'T: x' }), undefined)
  assert.equal(idToLookUp({ id: event, source: 'internal', title: 'T' }), undefined)
  assert.equal(idToLookUp({ id: event, source: 'internal', title: 'T: x' }), event)
  assert.equal(idToLookUp({ id: event, title: 'T' }), event)
  assert.equal(idToLookUp({ id: event }), undefined)
})
