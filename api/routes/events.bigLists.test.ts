import assert from 'node:assert/strict'
import { titleContext } from '../../src/changeLog/sealed.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { decodeId, encodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import { makeAgent, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const fromMs = Date.parse('2026-04-01T00:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()
const days = 100
const events = 20_000

type Item = { uuid: Uuid; startMs: number; status: string; source: string; isOccurrence: boolean }

/** Spread out, but for a quarter of them on one and the same start. */
async function importEvents({ app: { sql, sealer } }: TestService, orgId: string, calendarId: string): Promise<Item[]> {
  const items: Item[] = []
  const rows = Array.from({ length: events }, (_, nth) => {
    const id = newId()
    const startMs = nth % 4 === 0 ? fromMs + 40 * dayMs + 36_000_000 : fromMs + ((nth * 7919) % events) * 432_000
    const status = nth % 10 === 1 ? 'tentative' : nth % 10 === 3 ? 'cancelled' : 'confirmed'
    const source = nth % 20 === 7 ? 'internal' : 'external_ical'
    items.push({ uuid: id, startMs, status, source, isOccurrence: false })
    return { id, title: sealer.seal(titleContext(id), 'x').toString('hex'), at: iso(startMs), status, source }
  })
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, source, metadata,
      created_at, updated_at)
    select ${orgId}::uuid, i.id, ${calendarId}::uuid, decode(i.title, 'hex'), i.at, i.at + interval '1 hour', i.status,
      i.source, '{}', now(), now()
    from jsonb_to_recordset(${sql.json(rows)}) as i (id uuid, title text, at timestamptz, status text, source text)`
  return items
}

/** Daily at ten: from long ago, from the day of the many on, and cancelled as a whole; each with occurrences cancelled. */
async function makeSeries(service: TestService, key: string, calendarId: string): Promise<Item[]> {
  const items: Item[] = []
  const list = `/v1/calendars/${calendarId}/events`
  for (const [first, status] of [
    [-500, 'confirmed'],
    [40, 'confirmed'],
    [20, 'cancelled'],
  ] as const) {
    const startMs = fromMs + first * dayMs + 36_000_000
    const times = { start_time: iso(startMs), end_time: iso(startMs + 1_800_000), recurrence_rule: 'FREQ=DAILY' }
    const { id } = await makeEvent(service, key, calendarId, { ...times, status })
    const gone = status === 'cancelled' ? [] : [41, 77, 99]
    for (const day of gone) {
      const path = `${list}/${id}?occurrence_start=${iso(fromMs + day * dayMs + 36_000_000)}`
      assert.equal((await service.call('DELETE', path, { key })).status, 200)
    }
    for (let day = Math.max(first, 0); day < days; day++) {
      const at = fromMs + day * dayMs + 36_000_000
      if (!gone.includes(day)) {
        items.push({ uuid: decodeId('evt', id)!, startMs: at, status, source: 'internal', isOccurrence: true })
      }
    }
  }
  return items
}

const test = serviceTest({ plan: 'custom' })
  .extend('calendar', perFile, async ({ service, key }) => {
    const agent = await makeAgent(service, key)
    return makeCalendar(service, key, agent.id)
  })
  .extend('list', perFile, ({ calendar }) => `/v1/calendars/${calendar.id}/events`)
  .extend('items', perFile, async ({ service, organization, calendar }) => {
    const { id, key } = organization
    const imported = await importEvents(service, decodeId('org', id)!, decodeId('cal', calendar.id)!)
    const items = [...imported, ...(await makeSeries(service, key, calendar.id))]
    return items.sort((a, b) => a.startMs - b.startMs || (a.uuid < b.uuid ? -1 : 1))
  })
  .extend(
    'assertPages',
    perFile,
    ({ call, key, items }) =>
      async (path: string, filters: Record<string, string>, [from, to]: [number, number]) => {
        const whole = items.filter(
          ({ startMs, status, source }) =>
            startMs >= from &&
            startMs < to &&
            (filters.status ?? status) === status &&
            (filters.source ?? source) === source,
        )
        const many = whole.findIndex(({ startMs }) => startMs === fromMs + 40 * dayMs + 36_000_000)
        const offsets = [
          0,
          1,
          150,
          many - 3,
          many + 2,
          many + 1_000,
          whole.length >> 1,
          whole.length - 5,
          whole.length,
          10 ** 14,
        ]
        for (const offset of new Set(offsets.filter((one) => one >= 0))) {
          const bounds = { expand: 'true', start_after: iso(from), start_before: iso(to) }
          const query = new URLSearchParams({ ...bounds, ...filters, limit: '37', offset: String(offset) })
          const { status, body } = await call('GET', `${path}?${query}`, { key })
          assert.equal(status, 200, JSON.stringify(body))
          const expected = whole.slice(offset, offset + 37).map(({ uuid, startMs, isOccurrence }) => ({
            id: encodeId('evt', uuid),
            startTime: iso(startMs),
            ...(isOccurrence && { originalStartTime: iso(startMs) }),
          }))
          const shown = body.data.map(({ id, startTime, originalStartTime }: Record<string, string>) => ({
            id,
            startTime,
            ...(originalStartTime && { originalStartTime }),
          }))
          assert.deepEqual(shown, expected, `${query}`)
          assert.equal(body.total, whole.length, `${query}`)
        }
      },
  )

const whole: [number, number] = [fromMs, fromMs + days * dayMs]
const odd: [number, number] = [fromMs + 40 * dayMs + 36_000_000, fromMs + 77 * dayMs + 36_000_001]

test('every page of an expanded list over a full calendar is cut out of the whole list, at any offset', async ({
  calendar,
  list,
  assertPages,
}) => {
  await assertPages(list, {}, whole)
  await assertPages(list, {}, odd)
  await assertPages(`/v1/agents/${calendar.agentId}/events`, {}, whole)
})

test('every page of an expanded list with a filter is cut out of the filtered list, at any offset', async ({
  list,
  assertPages,
}) => {
  for (const status of ['confirmed', 'tentative', 'cancelled', 'hold']) await assertPages(list, { status }, whole)
  for (const source of ['internal', 'external_ical']) await assertPages(list, { source }, whole)
  await assertPages(list, { status: 'cancelled', source: 'internal' }, odd)
})
