import assert from 'node:assert/strict'
import { test } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../../../src/errors.ts'
import { InexactNumber } from '../../../src/shapes/exactNumbers.ts'
import { zone } from '../../../src/shapes/fields.ts'
import { eventRoutes } from '../../routes/events.ts'
import { readArguments } from './arguments.ts'
import { readTool } from './tool.ts'
import { ToolRefusal } from './toolRefusal.ts'

const twins = [eventRoutes[0]!] as const
const texts = { effect: 'reads', title: 'A tool', description: 'For this test.', twins, answer: {} } as const

const day = z.string().optional()

const asking = readTool({
  ...texts,
  name: 'ask',
  arguments: {
    agents: z.array(z.string()).min(1).optional(),
    start: z.string().optional(),
    end: z.string().optional(),
    duration_minutes: z.int().min(5).max(480).default(30),
    reminders: z.array(z.int()).nullable().optional(),
    description: z.string().nullable().optional(),
    include_busy: z.boolean().default(false),
    metadata: z.record(z.string(), z.unknown()).optional(),
    recurrence_rule: z.string().optional(),
    type: z.enum(['ai', 'human', 'resource']).optional(),
    events: z.array(z.enum(['event.created', 'event.updated'])).optional(),
    timezone: zone.optional(),
    slots: z.array(z.strictObject({ start_time: z.string(), end_time: z.string() })).optional(),
    working_hours: z.strictObject({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }).optional(),
  },
  alsoTaken: { calendar_id: z.string().optional() },
  run: async () => ({}),
})

const span = { start_time: 'a', end_time: 'b' }
const usual = { duration_minutes: 30, include_busy: false }
const read: [what: string, sent: Record<string, unknown>, taken: Record<string, unknown>][] = [
  ['nothing', {}, usual],
  [
    'null for an unknown argument, and for one that cannot be null',
    { colour: null, start: null, include_busy: null },
    usual,
  ],
  [
    'null for one that can be null',
    { reminders: null, description: null },
    { ...usual, reminders: null, description: null },
  ],
  ['a number as a text', { duration_minutes: '45' }, { ...usual, duration_minutes: 45 }],
  ['true as a text', { include_busy: 'true' }, { ...usual, include_busy: true }],
  ['a list as JSON', { agents: '["agt_a","agt_b"]' }, { ...usual, agents: ['agt_a', 'agt_b'] }],
  ['a list with commas', { agents: 'agt_a, agt_b' }, { ...usual, agents: ['agt_a', 'agt_b'] }],
  ['a list of one', { agents: 'agt_a' }, { ...usual, agents: ['agt_a'] }],
  ['a list of numbers as texts', { reminders: ['10', 5] }, { ...usual, reminders: [10, 5] }],
  ['a list of numbers with commas', { reminders: '10,5' }, { ...usual, reminders: [10, 5] }],
  ['one number where a list belongs', { reminders: 10 }, { ...usual, reminders: [10] }],
  ['one object where a list belongs', { slots: span }, { ...usual, slots: [span] }],
  ['one object as JSON where a list belongs', { slots: JSON.stringify(span) }, { ...usual, slots: [span] }],
  ['an object as JSON', { metadata: '{"a":"1"}' }, { ...usual, metadata: { a: '1' } }],
  ['a text that looks like a number', { start: '10' }, { ...usual, start: '10' }],
  ['old names of times', { start_time: 'a', end_time: 'b' }, { ...usual, start: 'a', end: 'b' }],
  ['older names of times', { start_after: 'a', start_before: 'b' }, { ...usual, start: 'a', end: 'b' }],
  ['an old name of agents', { agent_ids: 'agt_a' }, { ...usual, agents: ['agt_a'] }],
  ['old durations', { duration: '1h' }, { ...usual, duration_minutes: 60 }],
  ['older durations', { slot_duration: '90m' }, { ...usual, duration_minutes: 90 }],
  [
    'both names of the same',
    { duration: '30m', duration_minutes: 30, start: 'a', start_time: 'a' },
    { ...usual, start: 'a' },
  ],
  [
    'both names, one of them null',
    { start: null, start_time: 'a', end: 'b', end_time: null },
    { ...usual, start: 'a', end: 'b' },
  ],
  ['a rule with its prefix', { recurrence_rule: 'RRULE:FREQ=DAILY' }, { ...usual, recurrence_rule: 'FREQ=DAILY' }],
  ['what is taken and not listed', { calendar_id: 'cal_a' }, { ...usual, calendar_id: 'cal_a' }],
]
for (const [what, sent, taken] of read) {
  test(`${what} is read as it is meant`, () => {
    assert.deepEqual(readArguments(asking, sent), taken)
  })
}

function refusalOf(sent: Record<string, unknown>): ServiceError {
  try {
    readArguments(asking, sent)
  } catch (error) {
    assert.ok(error instanceof ServiceError)
    assert.equal(error.type, 'validation_error')
    return error
  }
  throw assert.fail('it was taken')
}

const refused: [what: string, sent: Record<string, unknown>, param: string][] = [
  ['another type', { duration_minutes: true }, 'duration_minutes'],
  ['a number with more behind it', { duration_minutes: '45 minutes' }, 'duration_minutes'],
  ['a fraction', { duration_minutes: 7.5 }, 'duration_minutes'],
  ['a list with a word that means nothing', { events: ['event.created', '*'] }, 'events.1'],
  ['an abbreviation of a zone', { timezone: 'PST' }, 'timezone'],
  ['another word for true', { include_busy: 'yes' }, 'include_busy'],
  ['an empty list', { agents: '' }, 'agents'],
  ['an object that is none', { metadata: '{"a":' }, 'metadata'],
  ['an item of another type', { reminders: 'soon' }, 'reminders.0'],
  ['what cannot be stored', { start: 'a\0' }, 'start'],
  ['what cannot be stored, as JSON', { metadata: '{"a":"\\u0000"}' }, 'metadata.a'],
  ['what is nested too deep, as JSON', { metadata: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}` }, 'metadata'],
]
for (const [what, sent, param] of refused) {
  test(`${what} is refused`, () => {
    const refusal = refusalOf(sent)
    assert.equal(refusal.detail.param, param)
    assert.ok(!(refusal instanceof ToolRefusal))
  })
}

const repaired: [what: string, sent: Record<string, unknown>, param: string, merged: Record<string, unknown>][] = [
  ['a misspelt name', { durationMinutes: 45 }, 'durationMinutes', { duration_minutes: 45, durationMinutes: null }],
  [
    'several misspelt names',
    { descriptoin: 'x', include_bussy: true },
    'descriptoin',
    { description: 'x', descriptoin: null, include_busy: true, include_bussy: null },
  ],
  ['a misspelt name beside the right one', { starts: 'a', start: 'b' }, 'starts', { starts: null }],
  ['two names that differ', { start: 'a', start_time: 'b' }, 'start_time', { start_time: null }],
  ['two names that differ, the old one first', { start_time: 'b', start: 'a' }, 'start_time', { start_time: null }],
  ['too much', { duration_minutes: 481 }, 'duration_minutes', { duration_minutes: 480 }],
  ['too little', { duration_minutes: 4 }, 'duration_minutes', { duration_minutes: 5 }],
  ['a misspelt word', { type: 'resorce' }, 'type', { type: 'resource' }],
  [
    'a misspelt word in a list',
    { events: ['event.updated', 'event.create'] },
    'events.1',
    { events: ['event.updated', 'event.created'] },
  ],
  [
    'a slot of an answer',
    { slots: [{ start: 'a', end: 'b', when: 'c' }] },
    'slots.0.start_time',
    { slots: [{ start_time: 'a', end_time: 'b' }] },
  ],
  [
    'a day of the week in full',
    { working_hours: { monday: '09:00' } },
    'working_hours.monday',
    { working_hours: { mon: '09:00' } },
  ],
  ['a city', { timezone: 'Berlin' }, 'timezone', { timezone: 'Europe/Berlin' }],
  ['a zone with a blank', { timezone: 'America/New York' }, 'timezone', { timezone: 'America/New_York' }],
  ['a misspelt zone', { timezone: 'europe/berln' }, 'timezone', { timezone: 'Europe/Berlin' }],
]
for (const [what, sent, param, merged] of repaired) {
  test(`${what} is refused, and merging the suggestion repairs it`, () => {
    const refusal = refusalOf(sent)
    assert.ok(refusal instanceof ToolRefusal)
    assert.equal(refusal.detail.param, param)
    assert.deepEqual(refusal.suggestions[0]?.arguments, merged)
    readArguments(asking, { ...sent, ...merged })
  })
}

test('a name that objects have by themselves is an unknown name as any other', () => {
  for (const name of ['__proto__', 'constructor']) {
    assert.equal(refusalOf(JSON.parse(`{"${name}":{"type":"ai"}}`)).detail.param, name)
  }
})

test('an unknown name that resembles none is refused with all that are known', () => {
  const refusal = refusalOf({ colour: 'red' }) as ToolRefusal
  assert.deepEqual([refusal.detail.param, refusal.suggestions], ['colour', []])
  assert.match(refusal.nextStep!, /Known: agents, start, end/)
})

test('a number that would change is refused with its place, also inside JSON that is sent as a text', () => {
  for (const metadata of [{ n: new InexactNumber() }, '{"n": 9007199254740993}']) {
    assert.throws(
      () => readArguments(asking, { metadata }),
      (error: ServiceError) => error.type === 'validation_error' && error.detail.param === 'metadata.n',
    )
  }
})
