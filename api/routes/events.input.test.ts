// Which values an event takes, and which it refuses.
import assert from 'node:assert/strict'
import { decodeId, encodeId, newId } from '../../src/shapes/ids.ts'
import { deskTest, end, minimal, start } from '../../src/testing/eventDesk.ts'
import { ahead, makeEvent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = deskTest()

test('the longest and the shortest allowed values are accepted', async ({ desk: { post, get } }) => {
  for (const body of [
    { ...minimal, title: 'x' },
    { ...minimal, title: 'x'.repeat(500) },
    { ...minimal, description: '' },
    { ...minimal, reminders: [] },
    { ...minimal, reminders: null },
    { ...minimal, reminders: [1, 2, 3, 4, 40_320] },
    { ...minimal, metadata: { k: 'x'.repeat(16 * 1024 - '{"k":""}'.length) } },
    { ...minimal, end_time: '2026-03-02T10:00:00.001Z' },
    { ...minimal, start_time: '0001-01-01T00:00:00Z', end_time: '9999-12-31T23:59:59.999Z' },
  ]) {
    const answer = await post(body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body).slice(0, 300))
    assert.deepEqual((await get(answer.body.id)).body, answer.body)
  }
})

test('a refusal of an invalid body names the field', async ({ service, desk: { post } }) => {
  const table: [body: Record<string, unknown>, param: string, code?: string][] = [
    [{ start_time: start, end_time: end }, 'title'],
    [{ ...minimal, title: '' }, 'title'],
    [{ ...minimal, title: 'x'.repeat(501) }, 'title'],
    [{ ...minimal, title: 7 }, 'title'],
    [{ ...minimal, title: null }, 'title'],
    [{ title: 'x', end_time: end }, 'start_time'],
    [{ title: 'x', start_time: start }, 'end_time'],
    [{ ...minimal, start_time: '2026-03-02T10:00:00' }, 'start_time', 'invalid_time_format'],
    [{ ...minimal, start_time: '2026-02-30T10:00:00Z' }, 'start_time', 'invalid_time_format'],
    [{ ...minimal, start_time: '2026-03-02' }, 'start_time', 'invalid_time_format'],
    [{ ...minimal, end_time: 'tomorrow' }, 'end_time', 'invalid_time_format'],
    [{ ...minimal, start_time: 1_772_445_600_000 }, 'start_time'],
    [{ ...minimal, end_time: start }, 'end_time', 'end_before_start'],
    [{ ...minimal, end_time: '2026-03-02T09:59:59Z' }, 'end_time', 'end_before_start'],
    [{ ...minimal, description: null }, 'description'],
    [{ ...minimal, all_day: 'true' }, 'all_day'],
    [{ ...minimal, status: 'done' }, 'status'],
    [{ ...minimal, metadata: [] }, 'metadata'],
    [{ ...minimal, metadata: null }, 'metadata'],
    [{ ...minimal, metadata: { k: 'x'.repeat(16 * 1024 - '{"k":""}'.length + 1) } }, 'metadata'],
    [{ ...minimal, reminders: [1, 2, 3, 4, 5, 6] }, 'reminders'],
    [{ ...minimal, reminders: [10, 0] }, 'reminders.1'],
    [{ ...minimal, reminders: [40_321] }, 'reminders.0'],
    [{ ...minimal, reminders: [1.5] }, 'reminders.0'],
    [{ ...minimal, reminders: 10 }, 'reminders'],
    [{ ...minimal, hold_expires_at: ahead(service, 5) }, 'hold_expires_at'],
    [{ ...minimal, hold_priority: 1 }, 'hold_priority'],
    [{ ...minimal, colour: 'red' }, 'colour'],
    [{ ...minimal, startTime: start }, 'startTime'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await post(body), 400, 'validation_error', { param, ...(code && { code }) })
  }
})

test('validation comes before the look-up of the calendar, and both come before any write', async ({
  service,
  organization,
  desk: { calendar, pathOf, post },
}) => {
  const nowhere = pathOf(undefined, encodeId('cal', newId()))
  assertRefused(await post({ ...minimal, title: '' }, nowhere), 400, 'validation_error', { param: 'title' })
  assertRefused(await post(minimal, nowhere), 404, 'not_found', { code: 'calendar_not_found' })
  assertRefused(await post(minimal, pathOf(undefined, 'cal_x')), 404, 'not_found', { code: 'calendar_not_found' })
  assertRefused(await post(minimal, pathOf(undefined, organization.id)), 404, 'not_found', {
    code: 'calendar_not_found',
  })
  const { sql } = service.app
  const [row] =
    await sql`select count(*)::integer as n from events where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.equal(row?.n, 0)
})

test('an invalid PATCH is refused and changes nothing', async ({ service, key, desk: { calendar, get, patch } }) => {
  const event = await makeEvent(service, key, calendar.id)
  const table: [body: unknown, param: string | null, code?: string][] = [
    [{}, null],
    [[], null],
    ['x', null],
    [null, null],
    [{ title: '' }, 'title'],
    [{ title: null }, 'title'],
    [{ status: 'hold' }, 'status'],
    [{ status: null }, 'status'],
    [{ metadata: null }, 'metadata'],
    [{ reminders: [0] }, 'reminders.0'],
    [{ all_day: null }, 'all_day'],
    [{ start_time: null }, 'start_time'],
    [{ hold_expires_at: ahead(service, 5) }, 'hold_expires_at'],
    [{ hold_priority: 5 }, 'hold_priority'],
    [{ calendar_id: calendar.id }, 'calendar_id'],
    [{ start_time: event.endTime }, 'start_time', 'end_before_start'],
    [{ end_time: event.startTime }, 'end_time', 'end_before_start'],
    [{ start_time: end, end_time: start }, 'end_time', 'end_before_start'],
    [{ end_time: 'x' }, 'end_time', 'invalid_time_format'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await patch(event.id, body), 400, 'validation_error', { param, ...(code && { code }) })
  }
  assert.deepEqual((await get(event.id)).body, event)
})

test('occurrence_start is a conflict on an event that happens once, and invalid when it is malformed', async ({
  service,
  key,
  desk: { calendar, get, remove },
}) => {
  const event = await makeEvent(service, key, calendar.id)
  const at = `?occurrence_start=${encodeURIComponent(start)}`
  assertRefused(await remove(event.id, at), 409, 'conflict', { param: 'occurrence_start' })
  assertRefused(await remove(event.id, '?occurrence_start=noon'), 400, 'validation_error', {
    param: 'occurrence_start',
    code: 'invalid_time_format',
  })
  assert.equal((await get(event.id)).status, 200)
})
