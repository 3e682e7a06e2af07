import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Uuid } from '../shapes/ids.ts'
import { bookingFile } from './bookingFile.ts'
import { type FeedEvent, veventOf } from './vevent.ts'

const at = new Date('2026-03-02T12:00:00Z')
const feedEvent: FeedEvent = {
  id: '0199b3d8-8c0d-7000-8000-000000000000' as Uuid,
  title: '',
  description: null,
  startTime: at,
  endTime: new Date('2026-03-02T12:30:00Z'),
  allDay: false,
  status: 'confirmed',
  source: 'internal',
  recurrenceRule: null,
  recurrenceExdates: [],
  ...{ recurrenceTimezone: null, recurrenceRdates: [], recurrenceSkippedMs: 0 },
  reminders: [],
  sequence: 0,
  createdAt: at,
  updatedAt: at,
}

test("a guest's file writes texts as the feed does", () => {
  const title = 'Chat\u0007; with\t"commas", \u007f\u0000all'
  const description = 'one\rtwo\r\nthree\nfour\u000b'
  const file = bookingFile({ id: 'evt_x', title, description, start: at, end: feedEvent.endTime, stamp: at })
  const texts = (of: string) => of.split('\r\n').filter((line) => /^(SUMMARY|DESCRIPTION):/.test(line))
  assert.deepEqual(texts(file), ['SUMMARY:Chat\\; with\t"commas"\\, all', 'DESCRIPTION:one\\ntwo\\nthree\\nfour'])
  assert.deepEqual(texts(veventOf({ ...feedEvent, title, description }, 'UTC')), texts(file))
})
