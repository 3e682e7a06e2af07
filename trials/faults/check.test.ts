import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Arrival, Receiver } from './arrivals.ts'
import { judge } from './check.ts'
import { openOwners } from './identity.ts'
import { openLedger, type TaggedEdits } from './ledger.ts'
import type { ChangeFact, DeliveryFact, EventFact, Snapshot } from './snapshot.ts'

const mine = 'org_01m8219j2te00rxb8dz8yaenyh'
const other = 'org_01m8219jjpe00rjwpfemqdhr0m'
const webhookId = 'whk_01m8219jb1e00aqsmkshyh3z86'
const eventId = 'evt_01m8219ntpe00thc9efy22swtz'
const calendarId = 'cal_01m8219jcqe009xktk0caqsemv'
const owners = openOwners()
owners.note(mine, webhookId, eventId)
owners.note(other, calendarId)

const changedMs = Date.parse('2026-12-01T09:00:00Z')
const at = (seconds: number) => new Date(changedMs + seconds * 1_000)

const event: EventFact = {
  id: eventId,
  status: 'confirmed',
  isSeries: false,
  isMember: false,
  outcome: null,
  startTime: at(30),
  endTime: at(40),
  reminders: [],
  holdExpiresAt: null,
  updatedAt: at(0),
  deletedAt: null,
}
const delivery = (type: string, seconds: number, payload: object): DeliveryFact => ({
  id: `whd_${type}_${seconds}`,
  subscriptionId: webhookId,
  changeId: `${type}-${seconds}`,
  position: 0,
  type,
  status: 'delivered',
  attempts: 1,
  createdAt: at(seconds),
  nextRetryAt: null,
  payload,
})
const started = (startsIn: number, firedIn: number) =>
  delivery('event.started', firedIn, { event_id: eventId, start_time: at(startsIn).toISOString() })

type Told = {
  acknowledgedMs?: number
  to?: string
  /** By start: the requests with a key, and their answers. */
  once?: [start: string, id: string | undefined][]
  /** Two edits with one tag. */
  tagged?: TaggedEdits
  /** A second event like the first. */
  twin?: string
  /** The entries of the change feed: one for each delivery. */
  changed?: (entries: ChangeFact[]) => ChangeFact[]
}

const entryOf = ({ changeId, position, type }: DeliveryFact): ChangeFact => ({
  ...{ orgId: mine, changeId, position, type, calendarId, resourceId: eventId, revision: null },
})

function judged(
  deliveries: DeliveryFact[],
  { acknowledgedMs, to = mine, once = [], tagged, twin, changed = (entries) => entries }: Told = {},
) {
  const snapshot: Snapshot = {
    at: at(20),
    events: new Map([event, ...(twin ? [{ ...event, id: twin }] : [])].map((one) => [one.id, one])),
    audits: new Map([
      [`${eventId} event.create`, 1],
      [`${eventId} event.update`, 1],
    ]),
    timers: [
      { eventId, kind: 'event_start', dueAt: event.startTime },
      { eventId, kind: 'event_end', dueAt: event.endTime },
    ],
    deliveries: [
      delivery('event.created', -5, { event: { id: eventId } }),
      delivery('event.updated', 0, { event: { id: eventId } }),
      ...deliveries,
    ],
    changes: [],
    deadlocks: 0,
    miscounted: [],
  }
  snapshot.changes = changed(snapshot.deliveries.map(entryOf))
  const signed = { timestamp: '1', first: 'sha256=1' }
  const arrivals = new Map<string, Arrival[]>(
    snapshot.deliveries.map(({ id, payload, createdAt }, order) => [
      id,
      [{ deliveryId: id, orgId: to, at: createdAt.getTime(), body: JSON.stringify(payload), order, signed }],
    ]),
  )
  const ledger = openLedger()
  for (const [start, id] of once) ledger.once.set(start, id)
  if (tagged) ledger.tagged.set(eventId, tagged)
  if (acknowledgedMs) ledger.acknowledgedAt.set(eventId, acknowledgedMs)
  return judge(snapshot, { webhookIds: [webhookId], ledger, receiver: { arrivals } as Receiver, owners })
}

test('a change with its deliveries and timers is right', () => {
  assert.deepEqual(judged([]), [])
})

test('a delivery that tells of another organization is found where it was written and where it arrived', () => {
  const found = judged([delivery('event.hold_x', 1, { event_id: eventId, calendar_id: calendarId })])
  assert.deepEqual(found, [
    { kind: 'foreign', text: `the written whd_event.hold_x_1 tells ${mine} of ${calendarId} of ${other}` },
    { kind: 'foreign', text: `the arrived whd_event.hold_x_1 tells ${mine} of ${calendarId} of ${other}` },
  ])
})

test('a delivery that arrived at another organization is found', () => {
  const found = judged([], { to: other }).map(({ kind, text }) => `${kind} ${text}`)
  assert.deepEqual(found, [
    `foreign the arrived whd_event.created_-5 tells ${other} of ${eventId} of ${mine}`,
    `foreign the arrived whd_event.updated_0 tells ${other} of ${eventId} of ${mine}`,
  ])
})

test('a moment that fired after the change that took it back was acknowledged is found', () => {
  const text = `fired although it was taken back: ${eventId} event.started ${at(6).toISOString()}`
  assert.deepEqual(judged([started(6, 6)], { acknowledgedMs: changedMs + 1_000 }), [{ kind: 'twice', text }])
})

test('one that fired while the change was under way may have been first', () => {
  assert.deepEqual(judged([started(6, 6)], { acknowledgedMs: changedMs + 8_000 }), [])
  assert.deepEqual(judged([started(6, 6)]), [])
})

test('what was asked for with one key was made once, and is what the answer named', () => {
  const start = event.startTime.toISOString()
  assert.deepEqual(judged([], { once: [[start, eventId]] }), [])
  assert.deepEqual(judged([], { once: [[at(99).toISOString(), undefined]] }), [])
  const found = judged([], { once: [[start, 'evt_other']], twin: 'evt_twin' })
  assert.deepEqual(
    found.filter(({ text }) => text.includes('key')),
    [
      { kind: 'twice', text: `one key made ${eventId}, evt_twin` },
      { kind: 'lost', text: `a key was answered with evt_other, and made ${eventId}, evt_twin` },
    ],
  )
})

test('of two edits with one tag at most one was done', () => {
  assert.deepEqual(judged([], { tagged: { asked: 2, answered: 2, done: 1 } }), [])
  assert.deepEqual(judged([], { tagged: { asked: 2, answered: 2, done: 0 } }), [])
  const text = `${eventId}: one tag let 2 edits through`
  assert.deepEqual(judged([], { tagged: { asked: 2, answered: 2, done: 2 } }), [{ kind: 'twice', text }])
})

test('a change without its entry in the feed, and an entry without its change, are found', () => {
  assert.deepEqual(judged([], { changed: ([created]) => [created!] }), [
    { kind: 'lost', text: 'whd_event.updated_0 event.updated is not in the change feed' },
  ])
  const again = (entries: ChangeFact[]) => [...entries, { ...entries[1]!, changeId: 'again' }]
  assert.deepEqual(judged([], { changed: again }), [
    { kind: 'half', text: `event.updated of ${eventId} of the change feed has no delivery` },
  ])
})

test('entries in the wrong order are found: before a creation, after a deletion, and a revision that falls', () => {
  assert.deepEqual(judged([], { changed: (entries) => entries.toReversed() }), [
    { kind: 'half', text: `event.updated of ${eventId} stands before its creation` },
  ])
  const falling = (entries: ChangeFact[]) => entries.map((entry, nth) => ({ ...entry, revision: 5 - nth }))
  assert.deepEqual(judged([], { changed: falling }), [
    { kind: 'half', text: `event.updated of ${eventId}: the revision falls` },
  ])
  const deleted = (entries: ChangeFact[]) => [
    entries[0]!,
    { ...entries[0]!, orgId: other, type: 'event.deleted' },
    entries[1]!,
  ]
  assert.deepEqual(judged([], { changed: deleted }), [
    { kind: 'half', text: `event.updated of ${eventId} stands after its deletion` },
  ])
})
