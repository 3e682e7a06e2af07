import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hourMs } from '../shapes/durations.ts'
import { occurrencesBetween } from './expand.ts'
import { shiftRule } from './shiftRule.ts'
import { storedSeries } from './stored.ts'

// Wednesday 2 December 2026, 23:00, unless told otherwise.
const cases: [rule: string, byHours: number, shifted: string | undefined, start?: string][] = [
  ['FREQ=DAILY;INTERVAL=3', 6, 'FREQ=DAILY;INTERVAL=3'],
  ['FREQ=WEEKLY;INTERVAL=1;BYDAY=WE,MO', 6, 'FREQ=WEEKLY;INTERVAL=1;BYDAY=TH,TU'],
  ['FREQ=WEEKLY;BYDAY=SU,WE', 6, 'FREQ=WEEKLY;BYDAY=MO,TH'],
  ['FREQ=WEEKLY;BYDAY=MO,WE', -24, 'FREQ=WEEKLY;BYDAY=SU,TU'],
  ['FREQ=WEEKLY;BYDAY=WE', -12, 'FREQ=WEEKLY;BYDAY=WE'],
  ['FREQ=WEEKLY', 30, 'FREQ=WEEKLY'],
  // Weeks begin on Monday: the two days would lie in different ones.
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,SU', 6, undefined],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,FR', 6, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,SA'],
  ['FREQ=DAILY;UNTIL=20261231', 6, 'FREQ=DAILY;UNTIL=20270101'],
  ['FREQ=DAILY;UNTIL=20261231T230000Z', 6, 'FREQ=DAILY;UNTIL=20270101T050000Z'],
  ['FREQ=DAILY;UNTIL=20261231', -12, 'FREQ=DAILY;UNTIL=20261231'],
  ['FREQ=MONTHLY;BYMONTHDAY=2', 6, 'FREQ=MONTHLY;BYMONTHDAY=3'],
  ['FREQ=MONTHLY', 6, 'FREQ=MONTHLY'],
  ['FREQ=MONTHLY', -24, 'FREQ=MONTHLY;BYMONTHDAY=-1', '2026-12-01T12:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 6, 'FREQ=MONTHLY;BYMONTHDAY=1', '2026-12-31T23:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=1', -24, 'FREQ=MONTHLY;BYMONTHDAY=-1', '2026-12-01T12:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=28', 6, undefined, '2026-12-28T23:00:00Z'],
  ['FREQ=MONTHLY;BYDAY=1WE', 6, undefined],
  ['FREQ=MONTHLY;BYDAY=1WE;COUNT=2', 6, 'FREQ=MONTHLY;BYDAY=1TH;COUNT=2'],
  ['FREQ=YEARLY', 6, 'FREQ=YEARLY'],
  ['FREQ=YEARLY', 6, 'FREQ=YEARLY', '2026-12-31T23:00:00Z'],
  ['FREQ=YEARLY', 6, undefined, '2027-02-28T23:00:00Z'],
  ['FREQ=YEARLY;COUNT=1', 6, 'FREQ=YEARLY;COUNT=1', '2027-02-28T23:00:00Z'],
]
for (const [rule, byHours, shifted, at = '2026-12-02T23:00:00Z'] of cases) {
  test(`${rule} from ${at}, ${byHours} hours later, is ${shifted}`, () => {
    const start = new Date(at)
    const byMs = byHours * hourMs
    assert.equal(shiftRule(rule, start, byMs), shifted)
    if (shifted === undefined) return
    const startsOf = (text: string, ms: number) =>
      occurrencesBetween(storedSeries(text, ms, ms + 1, []), ms, Number.POSITIVE_INFINITY, 100)
    const moved = start.getTime() + byMs
    assert.deepEqual(
      startsOf(shifted, moved),
      startsOf(rule, start.getTime()).map((ms) => ms + byMs),
    )
  })
}
