import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { z } from 'zod'
import { datetime, weekday, zonedDatetime } from './fields.ts'

const issueOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]

test('a datetime that cannot be read carries the code invalid_time_format', () => {
  const issue = issueOf(datetime, 'tomorrow') as { code: string; params: unknown; message: string }
  assert.equal(issue.code, 'custom')
  assert.deepEqual(issue.params, { code: 'invalid_time_format' })
  assert.match(issue.message, /ISO 8601 with an offset/)
})

test('a datetime may come with its zone in brackets', () => {
  assert.deepEqual(datetime.parse('2026-12-01T10:00[Europe/Berlin]'), new Date('2026-12-01T09:00:00Z'))
  assert.deepEqual(zonedDatetime.parse('2026-12-01T10:00[Europe/Berlin]'), {
    kind: 'time',
    at: new Date('2026-12-01T09:00:00Z'),
    zone: 'Europe/Berlin',
  })
})

test('a local time that is refused carries what may be sent instead', () => {
  for (const schema of [datetime, zonedDatetime]) {
    const issue = issueOf(schema, '2026-10-25T02:30[Europe/Berlin]') as { params: unknown }
    assert.deepEqual(issue.params, {
      code: 'ambiguous_local_time',
      suggestions: ['2026-10-25T02:30:00+02:00[Europe/Berlin]', '2026-10-25T02:30:00+01:00[Europe/Berlin]'],
    })
  }
})

test('a weekday is the whole word or its first three letters, in any case', () => {
  for (const text of ['tuesday', 'Tuesday', 'TUE', 'tue']) assert.equal(weekday.parse(text), 'Tuesday')
  for (const text of ['', 'tu', 'tues', 'tuesdays', 'dienstag', ' tue']) {
    assert.match(issueOf(weekday, text)!.message, /expected a weekday/)
  }
})
