import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { AuditEntry, EventHistoryEntry, EventInstance } from '../../clients/typescript/src/entry.ts'
import { calendar } from '../texts/calendar.ts'
import { sentencesOf } from './historyOf.ts'

const event = { createdAt: '2026-03-01T00:00:00.000Z', source: 'internal', metadata: {} } as EventInstance
const entry = (type: string, minute: number, fields: Partial<EventHistoryEntry> = {}): EventHistoryEntry => ({
  ...{ change_id: `chg_${minute}`, at: `2026-03-01T00:0${minute}:00.000Z`, type, cause: 'api', changes: [] },
  ...{ actor: { agent_id: null, key_prefix: 'ak_1' } },
  ...fields,
})
const account = { actor: { agent_id: null, key_prefix: null } }
const audited = [{ created_at: '2026-03-01T00:03:00.200Z', actor_account: 'ada@example.com' }] as AuditEntry[]
const said = (entries: EventHistoryEntry[], of: Partial<EventInstance> = {}) =>
  sentencesOf(
    entries,
    { event: { ...event, ...of }, names: new Map([['agt_1', 'Planner']]), audited },
    calendar.acts,
  ).map(({ text }) => text)

test('a history names the agent, the key, the account or the guest', () => {
  assert.deepEqual(
    said([
      entry('event.updated', 3, account),
      entry('event.updated', 2, account),
      entry('event.reminder', 2),
      entry('event.hold_confirmed', 1, { actor: { agent_id: 'agt_1', key_prefix: 'ak_2' } }),
      entry('event.hold_created', 0),
    ]),
    ['Changed by ada@example.com', 'Changed by a member', 'Confirmed by Planner', 'Created by ak_1'],
  )
  const metadata = { booking: { name: 'Grace' } }
  assert.deepEqual(said([entry('event.created', 0, { cause: 'booking', actor: null })], { metadata }), [
    'Created by Grace',
  ])
  assert.deepEqual(said([entry('event.created', 0, { cause: 'import', actor: null })]), ['Imported from a feed'])
})

test('a second beginning is a restoration, and the first is said without an entry', () => {
  assert.deepEqual(said([entry('event.created', 2), entry('event.deleted', 1), entry('event.created', 0)]), [
    ...['Restored by ak_1', 'Deleted by ak_1', 'Created by ak_1'],
  ])
  assert.deepEqual(said([entry('event.updated', 1)], { source: 'external_ical' }), [
    ...['Changed by ak_1', 'Imported from a feed'],
  ])
})
