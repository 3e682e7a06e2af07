import assert from 'node:assert/strict'
import { test } from 'vitest'
import { encodeId, newId, type Prefix } from '../shapes/ids.ts'
import { isOfCalendar, resourceOf, subjectOf } from './subject.ts'

const uuid = newId()
const [calendarId, agentId] = [newId(), newId()]
const ids = { calendar_id: encodeId('cal', calendarId), agent_id: encodeId('agt', agentId) }
const named = (prefix: Prefix) => encodeId(prefix, uuid)

/** A payload, and then: the resource, its calendar and its agent. */
const cases = [
  ['event.created', { ...ids, agent_id: undefined, event: { id: named('evt') } }, 'evt', calendarId, null],
  ['event.started', { calendar_id: ids.calendar_id, event_id: named('evt') }, 'evt', calendarId, null],
  ['calendar.created', { calendar: { id: named('cal'), agentId: ids.agent_id } }, 'cal', uuid, agentId],
  ['calendar.deleted', { calendar_id: named('cal') }, 'cal', uuid, null],
  ['calendar.imported', { calendar_id: named('cal'), ical_subscription_id: named('ics') }, 'cal', uuid, null],
  ['agent.updated', { agent: { id: named('agt') } }, 'agt', null, uuid],
  ['availability_rules.set', { rules: { id: named('avr'), calendar_id: named('cal') } }, 'cal', uuid, null],
  ['booking_page.updated', { booking_page: { id: named('bkp'), ...ids } }, 'bkp', calendarId, agentId],
  ['booking_page.created', { booking_page: { id: named('bkp'), ...ids, agent_id: null } }, 'bkp', calendarId, null],
  ['ical_subscription.created', { ical_subscription: { id: named('ics'), ...ids } }, 'ics', calendarId, agentId],
  ['webhook.deactivated', { webhook_id: named('whk'), url: 'https://example.com' }, 'whk', null, null],
] as const

for (const [type, payload, prefix, calendar, agent] of cases) {
  test(`${type} tells what it is about, on which calendar and whose it is`, () => {
    assert.deepEqual(subjectOf({ type, payload }), { calendarId: calendar, agentId: agent, resourceId: uuid })
    assert.deepEqual(resourceOf({ type, payload }), { type: type.split('.')[0], id: named(prefix) })
  })
}

test('what a payload does not tell is stated beside it', () => {
  const about = { type: 'proposal.expired', payload: { proposal_id: named('spr') }, calendarId, agentId }
  assert.deepEqual(subjectOf(about), { calendarId, agentId, resourceId: uuid })
  const removed = { type: 'availability_rules.removed', payload: { rules_id: named('avr') }, calendarId }
  assert.deepEqual(subjectOf(removed), { calendarId, agentId: null, resourceId: calendarId })
})

test('a payload that names nothing is our own fault', () => {
  assert.throws(() => subjectOf({ type: 'event.created', payload: {} }), /names no event/)
})

test('changes of a calendar take revision and owner from their guard, but for its creation', () => {
  const types = [...cases.map(([type]) => type), 'proposal.created']
  assert.deepEqual(types.filter(isOfCalendar), [
    ...['event.created', 'event.started', 'calendar.deleted', 'calendar.imported', 'availability_rules.set'],
  ])
})
