// Copies of events in calendars of Microsoft, against the emulator: lost answers, humans that write meanwhile, series.
import assert from 'node:assert/strict'
import { test as plain } from 'vitest'
import { openForeign } from '../foreign/foreign.ts'
import { openHttp } from '../outbound/http.ts'
import { openMicrosoftServer, type Trouble } from '../testing/providers/microsoftCalendarServer.ts'
import { microsoftProvider } from './microsoft.ts'
import { microsoftOauth } from './microsoftOauth.ts'
import type { CopyTarget, EventCopy } from './provider.ts'

const key = '0123456789abcdefghijklmnop'

const copyOf = (title: string, more: Partial<EventCopy> = {}): EventCopy => ({
  title,
  description: 'Words',
  isTentative: false,
  times: { kind: 'instants', start: new Date('2026-03-03T09:00:00Z'), end: new Date('2026-03-03T10:00:00Z') },
  recurrence: null,
  ical: '',
  ...more,
})

const test = plain
  .extend('clock', () => ({ ms: Date.parse('2026-03-02T09:00:00Z') }))
  .extend('server', async ({ clock }, { onCleanup }) => {
    const server = await openMicrosoftServer(() => clock.ms)
    onCleanup(server.close)
    server.mailbox.addCalendar('home', { name: 'Calendar' })
    return server
  })
  .extend('desk', async ({ server }, { onCleanup }) => {
    const http = openHttp({ trustedHosts: ['127.0.0.1'] })
    const foreign = openForeign()
    onCleanup(async () => void (await Promise.all([http.close(), foreign.close()])))
    const provider = microsoftProvider(http, foreign.of(''), microsoftOauth(server.configuration('tenant')))
    server.identity.settings.accessSeconds = 86_400
    const account = server.accountOf('Calendars.ReadWrite')
    const target = (kept: string | null): CopyTarget => ({ remote: 'home', key, kept })
    const put = (copy: EventCopy, kept: string | null = null) => provider.put(account, target(kept), copy)
    const written = async (copy: EventCopy, kept: string | null = null) => {
      const answer = await put(copy, kept)
      assert.equal(answer.kind, 'written', JSON.stringify(answer))
      return (answer as { kept: string }).kept
    }
    const remove = (kept: string | null) => provider.remove(account, target(kept))
    const events = () => [...server.mailbox.events.values()].filter(({ master }) => !master)
    const titles = () => events().map(({ fields }) => fields.subject)
    return { provider, put, written, remove, events, titles }
  })

const once = (matches: (method: string) => boolean, trouble: Trouble) => {
  let isDone = false
  return ({ method }: { method: string }) => {
    if (isDone || !matches(method)) return undefined
    isDone = true
    return trouble
  }
}
const posts = (method: string) => method === 'POST'

test('a copy is made without attendees or reminders, changed, and removed', async ({ server, desk }) => {
  const kept = await desk.written(copyOf('One'))
  const [event] = desk.events()
  const { iCalUId: _, singleValueExtendedProperties: [property] = [], ...fields } = event!.fields
  assert.deepEqual(fields, {
    subject: 'One',
    body: { contentType: 'text', content: 'Words' },
    showAs: 'busy',
    transactionId: key,
  })
  assert.equal(property?.value, key)
  assert.deepEqual([event!.times.startMs, event!.times.isAllDay], [Date.parse('2026-03-03T09:00:00Z'), false])
  const next = await desk.written(copyOf('Two', { isTentative: true }), kept)
  assert.deepEqual([desk.titles(), desk.events()[0]?.fields.showAs], [['Two'], 'tentative'])
  assert.deepEqual(await desk.remove(next), { kind: 'removed' })
  assert.equal(server.mailbox.events.size, 0)
  assert.deepEqual(await desk.remove(next), { kind: 'removed' })
  assert.deepEqual(await desk.remove(null), { kind: 'removed' })
})

test('what is written is named as reads name it', async ({ desk }) => {
  const answer = await desk.put(copyOf('One'))
  const [event] = desk.events()
  assert.deepEqual(
    { ...answer, kept: '' },
    { kind: 'written', kept: '', object: event!.id, uid: event!.fields.iCalUId },
  )
})

test('a copy whose answer was lost is found again, also long after', async ({ server, clock, desk }) => {
  server.quirk = once(posts, { kind: 'drop' })
  assert.equal((await desk.put(copyOf('One'))).kind, 'failed')
  clock.ms += 3_600_000
  await desk.written(copyOf('Two'))
  assert.deepEqual(desk.titles(), ['Two'])
  assert.equal(server.asked.filter(({ method }) => method === 'POST').length, 1)
})

test('a copy that lost its answer is found for its removal too', async ({ server, desk }) => {
  server.quirk = once(posts, { kind: 'drop' })
  await desk.put(copyOf('One'))
  assert.deepEqual(await desk.remove(null), { kind: 'removed' })
  assert.deepEqual(desk.titles(), [])
})

test('two copies of one key become one', async ({ server, clock, desk }) => {
  await desk.written(copyOf('One'))
  clock.ms += 3_600_000
  server.quirk = ({ method, path }) =>
    method === 'GET' && path.includes('filter')
      ? { kind: 'answer', answer: { status: 200, body: { value: [] } } }
      : undefined
  await desk.written(copyOf('Again'))
  assert.equal(desk.events().length, 2)
  server.quirk = () => undefined
  await desk.written(copyOf('Two'))
  assert.deepEqual(desk.titles(), ['Two'])
})

test('a transaction that is known but cannot be found is tried again later', async ({ server, clock, desk }) => {
  const kept = await desk.written(copyOf('One'))
  await desk.remove(kept)
  const answer = await desk.put(copyOf('One'))
  assert.deepEqual([answer.kind, (answer as { category?: string }).category], ['failed', 'provider_error'])
  clock.ms += server.events.transactionWindowMs
  await desk.written(copyOf('One'))
  assert.deepEqual(desk.titles(), ['One'])
})

test('what the human added stays; what is ours is written over what they changed', async ({ server, desk }) => {
  const kept = await desk.written(copyOf('One'))
  const [event] = desk.events()
  const moved = { startMs: Date.parse('2026-03-09T09:00:00Z'), endMs: Date.parse('2026-03-09T10:00:00Z') }
  server.mailbox.change(event!.id, {
    times: moved,
    fields: { subject: 'Theirs', categories: ['Red'], isReminderOn: true },
  })
  await desk.written(copyOf('Two'), kept)
  const [now] = desk.events()
  assert.deepEqual([now!.fields.subject, now!.fields.categories, now!.fields.isReminderOn], ['Two', ['Red'], true])
  assert.equal(now!.times.startMs, Date.parse('2026-03-03T09:00:00Z'))
})

test('a copy that changes all the time is given up after a few tries, and taken up again', async ({ server, desk }) => {
  const kept = await desk.written(copyOf('One'))
  const [event] = desk.events()
  server.quirk = ({ method }) => {
    if (method === 'PATCH' || method === 'DELETE') server.mailbox.change(event!.id, { fields: { categories: ['Red'] } })
    return undefined
  }
  assert.equal((await desk.put(copyOf('Two'), kept)).kind, 'failed')
  assert.equal(server.asked.filter(({ method }) => method === 'PATCH').length, 4)
  assert.equal((await desk.remove(kept)).kind, 'failed')
  server.quirk = () => undefined
  await desk.written(copyOf('Three'), kept)
  assert.deepEqual(desk.titles(), ['Three'])
})

test('a copy that the human deleted is left alone', async ({ server, desk }) => {
  const kept = await desk.written(copyOf('One'))
  server.mailbox.remove(desk.events()[0]!.id)
  assert.deepEqual(await desk.put(copyOf('Two'), kept), { kind: 'deleted' })
  assert.deepEqual(desk.titles(), [])
})

test('a calendar that is gone, or may not be written, is lost', async ({ server, desk }) => {
  const kept = await desk.written(copyOf('One'))
  server.mailbox.calendars.get('home')!.canEdit = false
  const forbidden = { kind: 'lost', category: 'forbidden' }
  assert.deepEqual(await desk.put(copyOf('Two'), kept), forbidden)
  assert.deepEqual(await desk.remove(kept), forbidden)
  server.mailbox.calendars.delete('home')
  assert.deepEqual(await desk.put(copyOf('Two'), kept), { kind: 'lost', category: 'not_found' })
  assert.deepEqual(await desk.put(copyOf('Two')), { kind: 'lost', category: 'not_found' })
  for (const known of [kept, null]) assert.deepEqual(await desk.remove(known), { kind: 'lost', category: 'not_found' })
})

test('404 of a copy means that its human deleted it only where the calendar may be written to', async ({
  server,
  desk,
}) => {
  const kept = await desk.written(copyOf('One'))
  const isCalendar = (path: string) => path.endsWith('/me/calendars/home')
  const answer = (status: number): Trouble => ({ kind: 'answer', answer: { status } })
  const put = async (ofCalendar?: number) => {
    server.quirk = ({ method, path }) => {
      if (method === 'PATCH' || method === 'DELETE') return answer(404)
      return isCalendar(path) && ofCalendar !== undefined ? answer(ofCalendar) : undefined
    }
    return desk.put(copyOf('Two'), kept)
  }
  const forbidden = { kind: 'lost', category: 'forbidden' }
  const notFound = { kind: 'lost', category: 'not_found' }
  assert.deepEqual([await put(403), await desk.remove(kept)], [forbidden, forbidden])
  assert.deepEqual([(await put(500)).kind, (await desk.remove(kept)).kind], ['failed', 'failed'])
  assert.deepEqual([await put(404), await desk.remove(kept)], [notFound, notFound])
  assert.deepEqual([await put(), await desk.remove(kept)], [{ kind: 'deleted' }, { kind: 'removed' }])
  server.mailbox.calendars.get('home')!.canEdit = false
  assert.deepEqual([await put(), await desk.remove(kept)], [forbidden, forbidden])
})

const repeats = (rule: string) => ({ rule, zone: null, hasDates: false, beginsInGap: false })

test('what Microsoft will never take is rejected; limits and faults are repeated', async ({ server, desk }) => {
  for (const [status, kind] of [
    [400, 'rejected'],
    [429, 'failed'],
    [500, 'failed'],
    [401, 'refused'],
  ] as const) {
    server.quirk = ({ method }) => (posts(method) ? { kind: 'answer', answer: { status } } : undefined)
    assert.equal((await desk.put(copyOf('One'))).kind, kind)
  }
  assert.equal(
    (await desk.put(copyOf('x', { recurrence: { rule: 'FREQ=MONTHLY;BYMONTHDAY=-1', excluded: [] } }))).kind,
    'rejected',
  )
  assert.equal(desk.provider.expresses(repeats('FREQ=MONTHLY;BYMONTHDAY=-1')), false)
  assert.equal(desk.provider.expresses(repeats('FREQ=WEEKLY;BYDAY=TU')), true)
  assert.equal(desk.provider.expresses({ ...repeats('FREQ=WEEKLY;BYDAY=TU'), zone: 'Europe/Berlin' }), false)
  assert.equal(desk.provider.expresses({ ...repeats('FREQ=WEEKLY;BYDAY=TU'), hasDates: true }), false)
})

test('whole days are dates', async ({ desk }) => {
  await desk.written(copyOf('Day', { times: { kind: 'dates', start: '2026-03-04', end: '2026-03-06' } }))
  const { startMs, endMs, isAllDay } = desk.events()[0]!.times
  assert.deepEqual([startMs, endMs, isAllDay], [Date.parse('2026-03-04'), Date.parse('2026-03-06'), true])
})

const weekly = (...excluded: string[]) =>
  copyOf('Series', { recurrence: { rule: 'FREQ=WEEKLY;COUNT=4', excluded: excluded.map((at) => new Date(at)) } })
const third = Date.parse('2026-03-17T09:00:00Z')

test('a series is one event, without its cancelled occurrences; they come back', async ({ server, desk }) => {
  let kept = await desk.written(weekly('2026-03-17T09:00:00Z'))
  assert.deepEqual(desk.events()[0]!.fields.recurrence?.pattern.daysOfWeek, ['tuesday'])
  const gone = () => [...desk.events()[0]!.gone]
  assert.deepEqual(gone(), [third])
  const before = server.asked.length
  kept = await desk.written({ ...weekly('2026-03-17T09:00:00Z'), title: 'Renamed' }, kept)
  assert.deepEqual([gone(), desk.titles()], [[third], ['Renamed']])
  assert.equal(server.asked.length, before + 1)
  kept = await desk.written(weekly('2026-03-17T09:00:00Z', '2026-03-10T09:00:00Z'), kept)
  assert.deepEqual(gone().toSorted(), [Date.parse('2026-03-10T09:00:00Z'), third])
  await desk.written(weekly(), kept)
  assert.deepEqual(gone(), [])
})

test('a series whose removal of an occurrence failed is finished by the next write', async ({ server, desk }) => {
  server.quirk = once((method) => method === 'DELETE', { kind: 'answer', answer: { status: 500 } })
  assert.equal((await desk.put(weekly('2026-03-17T09:00:00Z'))).kind, 'failed')
  await desk.written(weekly('2026-03-17T09:00:00Z'))
  assert.deepEqual([desk.events().length, [...desk.events()[0]!.gone]], [1, [third]])
})

test('place, free time and privacy have fields, a call and links are lines; what we set is cleared', async ({
  desk,
}) => {
  const call = { url: 'https://meet.example.com/1' }
  const kept = await desk.written(copyOf('One', { place: 'Hall', call, isTransparent: true, isPrivate: true }))
  const { fields } = desk.events()[0]!
  assert.deepEqual([fields.location, fields.sensitivity, fields.showAs], [{ displayName: 'Hall' }, 'private', 'free'])
  assert.deepEqual(fields.body, { contentType: 'text', content: 'Words\n\nCall: https://meet.example.com/1' })
  await desk.written(copyOf('One'), kept)
  const after = desk.events()[0]!.fields
  assert.deepEqual([after.location, after.sensitivity, after.showAs], [{ displayName: '' }, 'normal', 'busy'])
})
