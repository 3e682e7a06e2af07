import assert from 'node:assert/strict'
import { queryObjects } from 'node:v8'
import { test } from 'vitest'
import { localDay } from './allDay.ts'

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000

const moments: [at: string, zone: string, date: string][] = [
  ['2026-03-10T00:00:00Z', 'UTC', '2026-03-10'],
  ['2026-03-09T23:00:00Z', 'Europe/Berlin', '2026-03-10'],
  ['2026-03-09T22:59:59Z', 'Europe/Berlin', '2026-03-09'],
  ['2026-07-10T03:59:00Z', 'America/New_York', '2026-07-09'],
  ['2026-07-10T10:00:00Z', 'Pacific/Kiritimati', '2026-07-11'],
  ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29'],
  ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31'],
  ['0001-01-01T12:00:00Z', 'UTC', '0001-01-01'],
  ['9999-12-31T12:00:00Z', 'UTC', '9999-12-31'],
]
for (const [at, zone, date] of moments) {
  test(`at ${at} the wall in ${zone} says ${date}`, () => {
    assert.equal(localDay(new Date(at), zone), dayOf(date))
  })
}

test('however many spellings of a zone there are, only some are remembered', () => {
  const kept = () => Number(queryObjects(Intl.DateTimeFormat, { format: 'count' }))
  const before = kept()
  for (let nth = 0; nth < 1_000; nth++) {
    assert.equal(localDay(new Date('2026-03-09T19:00:00Z'), spelled('antarctica/mawson', nth)), dayOf('2026-03-10'))
  }
  assert.ok(kept() - before < 500, `${kept() - before} are kept`)
})

/** The bits of `nth` say which letters are capitals. */
const spelled = (zone: string, nth: number): string =>
  [...zone].map((letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter)).join('')
