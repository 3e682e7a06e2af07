// Copies of events in a calendar of Google: written once, whatever is lost, and never against the human.
import assert from 'node:assert/strict'
import { test as base } from 'vitest'
import { openForeign } from '../foreign/foreign.ts'
import { openHttp } from '../outbound/http.ts'
import { googleError } from '../testing/providers/googleCalendarAnswers.ts'
import { googleScopes, openGoogleServer } from '../testing/providers/googleCalendarServer.ts'
import { googleProvider } from './google.ts'
import { googleOauth } from './googleOauth.ts'
import type { CopyTarget, EventCopy } from './provider.ts'

const email = 'ada@gmail.com'
const key = 'abcdefghijklmnopqrstuv0123'

const test = base.extend('desk', async ({ task: _ }, { onCleanup }) => {
  const google = await openGoogleServer()
  const http = openHttp({ trustedHosts: ['127.0.0.1'] })
  const foreign = openForeign()
  onCleanup(async () => {
    await foreign.close()
    await http.close()
    await google.close()
  })
  google.addAccount(email, { timeZone: 'Europe/Berlin' })
  const provider = googleProvider(http, foreign.of(''), googleOauth(google.settings))
  const scopes = Object.values(googleScopes).join(' ')
  const credentials = google.oauth.tokenFor(email, scopes)
  const account = { credentials, server: google.settings.api_url }
  const target = (more: Partial<CopyTarget> = {}): CopyTarget => ({ remote: email, key, kept: null, ...more })
  const stored = () => google.calendarOf(email)!.events.get(key)!
  const put = async (copy: EventCopy, more: Partial<CopyTarget> = {}) => {
    const written = await provider.put(account, target(more), copy)
    assert.equal(written.kind, 'written', JSON.stringify(written))
    return written.kind === 'written' ? written.kept : ''
  }
  return { google, provider, account, target, stored, put }
})

const copyOf = (more: Partial<EventCopy> = {}): EventCopy => ({
  title: 'Planning',
  description: 'The next quarter',
  isTentative: false,
  times: { kind: 'instants', start: new Date('2026-03-03T10:00:00Z'), end: new Date('2026-03-03T11:00:00Z') },
  recurrence: null,
  ical: '',
  ...more,
})

test('a copy has the key as its identifier, no attendees, and the reminders of its human', async ({ desk }) => {
  const written = await desk.provider.put(desk.account, desk.target(), copyOf())
  const { etag, ...event } = desk.stored()
  assert.deepEqual(written, { kind: 'written', kept: JSON.stringify({ etag }), object: null, uid: `${key}@google.com` })
  assert.deepEqual(event, {
    ...{ id: key, status: 'confirmed', summary: 'Planning', description: 'The next quarter', sequence: 0 },
    start: { dateTime: '2026-03-03T10:00:00.000Z', timeZone: 'UTC' },
    end: { dateTime: '2026-03-03T11:00:00.000Z', timeZone: 'UTC' },
    ...{ reminders: { useDefault: true }, iCalUID: `${key}@google.com` },
  })
  assert.ok(desk.google.asked.every(({ path }) => path.includes('sendUpdates=none')))
})

test('an answer that is lost makes no second copy', async ({ desk }) => {
  desk.google.quirk = () => ({ kind: 'drop' })
  assert.equal((await desk.provider.put(desk.account, desk.target(), copyOf())).kind, 'failed')
  desk.google.quirk = () => undefined
  await desk.put(copyOf({ title: 'Planned' }))
  assert.equal(desk.google.calendarOf(email)!.events.size, 1)
  assert.equal(desk.stored().summary, 'Planned')
})

test('a change keeps what the human added, also if they were faster', async ({ desk }) => {
  const kept = await desk.put(copyOf())
  desk.google.changeEvent(email, key, { colorId: '7', summary: 'Mine' })
  const whole: EventCopy['times'] = { kind: 'dates', start: '2026-03-04', end: '2026-03-05' }
  await desk.put(copyOf({ times: whole, description: null, isTentative: true }), { kept })
  const { colorId, summary, start, description, status } = desk.stored()
  assert.deepEqual([colorId, summary, description, status], ['7', 'Planning', undefined, 'tentative'])
  assert.equal(start.date, '2026-03-04')
})

test('a series has its rule and its cancelled occurrences, and loses them again', async ({ desk }) => {
  const excluded = [new Date('2026-03-04T10:00:00Z')]
  const kept = await desk.put(copyOf({ recurrence: { rule: 'FREQ=DAILY;COUNT=3', excluded } }))
  assert.deepEqual(desk.stored().recurrence, ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260304T100000Z'])
  await desk.put(copyOf(), { kept })
  assert.equal(desk.stored().recurrence, undefined)
})

test('what the human deleted stays deleted, whatever was known', async ({ desk }) => {
  const kept = await desk.put(copyOf())
  desk.google.removeEvent(email, key)
  for (const known of [kept, null]) {
    assert.deepEqual(await desk.provider.put(desk.account, desk.target({ kept: known }), copyOf()), { kind: 'deleted' })
  }
})

test('removing is done when nothing is there, and takes what the human changed too', async ({ desk }) => {
  const kept = await desk.put(copyOf())
  desk.google.changeEvent(email, key, { colorId: '7' })
  assert.deepEqual(await desk.provider.remove(desk.account, desk.target({ kept })), { kind: 'removed' })
  assert.equal(desk.stored().status, 'cancelled')
  assert.deepEqual(await desk.provider.remove(desk.account, desk.target({ kept })), { kind: 'removed' })
  assert.deepEqual(await desk.provider.remove(desk.account, desk.target({ key: 'b'.repeat(26) })), { kind: 'removed' })
})

test('what refusals mean', async ({ desk }) => {
  const put = () => desk.provider.put(desk.account, desk.target(), copyOf())
  for (const [status, reason, expected] of [
    [400, 'invalid', 'rejected'],
    [401, 'authError', 'refused'],
    [429, 'rateLimitExceeded', 'failed'],
    [403, 'rateLimitExceeded', 'failed'],
    [403, 'accessNotConfigured', 'failed'],
    [503, 'backendError', 'failed'],
  ] as const) {
    desk.google.quirk = () => ({ kind: 'answer', answer: googleError(status, reason) })
    assert.equal((await put()).kind, expected, `${status} ${reason}`)
  }
})

const forbidden = { kind: 'lost', category: 'forbidden' }
const notFound = { kind: 'lost', category: 'not_found' }

for (const role of ['reader', 'writer', 'freeBusyReader'] as const) {
  test(`a calendar of which the account is ${role} is lost to new, changed and removed copies`, async ({ desk }) => {
    const kept = await desk.put(copyOf())
    desk.google.calendarOf(email)!.accessRole = role
    const { provider, account, target } = desk
    assert.deepEqual(await provider.put(account, target({ key: 'b'.repeat(26) }), copyOf()), forbidden)
    assert.deepEqual(await provider.put(account, target({ kept }), copyOf()), forbidden)
    assert.deepEqual(await provider.put(account, target({ kept: '{"etag":"\\"old\\""}' }), copyOf()), forbidden)
    assert.deepEqual(await provider.remove(account, target({ kept })), forbidden)
  })
}

test('a calendar that is gone is lost', async ({ desk }) => {
  const kept = await desk.put(copyOf())
  desk.google.dropCalendar(email, email)
  const { provider, account, target } = desk
  assert.deepEqual(await provider.put(account, target({ key: 'b'.repeat(26) }), copyOf()), notFound)
  assert.deepEqual(await provider.put(account, target({ kept }), copyOf()), notFound)
  assert.deepEqual(await provider.remove(account, target({ kept })), notFound)
})

test('404 means that the human deleted the copy only if it was seen, and the calendar is still theirs', async ({
  desk,
}) => {
  const kept = await desk.put(copyOf())
  const { google, provider, account, target } = desk
  const absent = { kind: 'answer', answer: googleError(404, 'notFound') } as const
  const put = async (more: Partial<CopyTarget>) => (await provider.put(account, target(more), copyOf())).kind
  google.quirk = ({ path }) => (path.includes('/events') ? absent : undefined)
  assert.deepEqual([await put({ kept }), await put({ kept: null })], ['deleted', 'lost'])
  const remove = () => provider.remove(account, target({ kept }))
  assert.deepEqual(await remove(), { kind: 'removed' })
  google.calendarOf(email)!.accessRole = 'reader'
  assert.equal(await put({ kept }), 'lost')
  assert.deepEqual(await remove(), forbidden)
  google.calendarOf(email)!.accessRole = 'owner'
  // The identifier is taken, and nothing is seen under it: a copy is not given up for that.
  google.quirk = ({ method }) => (method === 'GET' ? absent : undefined)
  assert.equal(await put({ kept: null }), 'failed')
})

test('place, transparency and visibility have fields, a call and links are lines; what we set is cleared, and nothing else', async ({
  desk,
}) => {
  const call = { url: 'https://meet.example.com/1', provider: 'Meet', pin: '12', phone: '+49 30' }
  const links = [{ url: 'https://example.com/a', title: 'Agenda' }]
  const kept = await desk.put(copyOf({ place: 'Hall', call, links, isTransparent: true }))
  const { location, transparency, description } = desk.stored() as Record<string, unknown>
  assert.deepEqual([location, transparency], ['Hall', 'transparent'])
  assert.equal(
    description,
    'The next quarter\n\nCall: Meet, https://meet.example.com/1, PIN 12, +49 30\nLink: Agenda, https://example.com/a',
  )
  const busy = await desk.put(copyOf({ title: 'Busy', description: null, isPrivate: true }), { kept })
  const hidden = desk.stored() as Record<string, unknown>
  assert.deepEqual([hidden.visibility, hidden.transparency, hidden.location ?? null], ['private', 'opaque', null])
  desk.google.changeEvent(email, key, { location: 'Mine' })
  await desk.put(copyOf(), { kept: busy })
  const last = desk.stored() as Record<string, unknown>
  assert.deepEqual([last.visibility, last.location, last.description], ['default', 'Mine', 'The next quarter'])
})
