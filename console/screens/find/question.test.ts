import assert from 'node:assert/strict'
import { test } from 'vitest'
import { find } from '../../texts/find.ts'
import { namedIn, type Question, queryOf, timesOf, wordsOf } from './question.ts'

const question: Question = {
  ...{ agents: ['agt_1'], timezone: 'Europe/Berlin', from: '2026-12-01', to: '2026-12-02' },
  ...{ duration: '1h', rank: 'compact', notBefore: '', notAfter: '' },
}

test('the last day is part of the question, in its zone', () => {
  const { start, end, prefer } = queryOf(question)
  assert.deepEqual([start, end, prefer], ['2026-11-30T23:00:00.000Z', '2026-12-02T23:00:00.000Z', undefined])
  assert.equal(queryOf({ ...question, notBefore: '09:00' }).prefer, '09:00-23:59')
  assert.equal(queryOf({ ...question, notAfter: '17:00' }).prefer, '00:00-17:00')
  assert.equal(queryOf({ ...question, from: '' }).start, '')
})

test('hours that a person gives leave other times out', () => {
  const time = (hour: string, reasons: string[]) => ({ start: hour, end: hour, score: 1, reasons })
  const best = [time('8', []), time('9', ['in_preferred_hours'])]
  assert.deepEqual(
    timesOf({ best }, { ...question, notBefore: '09:00' }).map(({ start }) => start),
    ['9'],
  )
  assert.equal(timesOf({ best }, question).length, 2)
  assert.deepEqual(timesOf({}, question), [])
})

test('each cause is said in words', () => {
  const event = { calendar_id: 'cal_1', event_id: 'evt_1' }
  const causes = [
    { kind: 'event', status: 'confirmed', ...event },
    { kind: 'hold', hold_priority: 1, hold_expires_at: '', ...event },
    { kind: 'buffer', side: 'after', minutes: 5, ...event },
    { kind: 'working_hours', calendar_id: 'cal_1' },
    { kind: 'working_hours' },
    { kind: 'external', reason: 'busy' },
    { kind: 'external', reason: 'not_current' },
    { kind: 'busy' },
  ] as const
  const say = (cause: (typeof causes)[number]) =>
    wordsOf(
      cause,
      find.causes,
      () => 'Planning',
      () => 'Meetings',
    )
  assert.deepEqual(causes.map(say), [
    'Planning',
    'Hold: Planning',
    'Buffer after Planning',
    'Outside the working hours of Meetings',
    'Outside working hours',
    'Busy in an external calendar',
    'An external calendar is not current',
    'Busy',
  ])
  assert.deepEqual(namedIn([{ start: '', end: '', by: [...causes] }]).calendars, ['cal_1'])
})
