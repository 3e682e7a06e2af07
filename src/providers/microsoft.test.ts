// Reading calendars of Microsoft, against the emulator over real HTTP.
import assert from 'node:assert/strict'
import { test as plain } from 'vitest'
import { openForeign } from '../foreign/foreign.ts'
import { openHttp } from '../outbound/http.ts'
import { type MicrosoftServer, openMicrosoftServer } from '../testing/providers/microsoftCalendarServer.ts'
import { microsoftProvider } from './microsoft.ts'
import { microsoftOauth } from './microsoftOauth.ts'
import type { Account, CalendarRead, Failed, ReadTask } from './provider.ts'

const horizon = { from: new Date('2026-02-01T00:00:00Z'), until: new Date('2027-04-01T00:00:00Z') }

/** A copy as it is stored: what each object makes busy, its version, and where the next read goes on. */
type Copy = { busy: Map<string, string[]>; versions: Map<string, string>; cursor: string | null }

const test = plain
  .extend('server', async ({ task: _ }, { onCleanup }) => {
    const server = await openMicrosoftServer()
    onCleanup(server.close)
    server.mailbox.addCalendar('home', { name: 'Calendar' })
    return server
  })
  .extend('provider', async ({ server }, { onCleanup }) => {
    const http = openHttp({ trustedHosts: ['127.0.0.1'] })
    const foreign = openForeign()
    onCleanup(async () => void (await Promise.all([http.close(), foreign.close()])))
    return microsoftProvider(http, foreign.of(''), microsoftOauth(server.configuration('tenant')))
  })
  .extend('account', async ({ server }) => server.accountOf('Calendars.Read') satisfies Account)
  .extend('read', async ({ provider, account }) => async (copy?: Copy, remote = 'home') => {
    const results: (CalendarRead | Failed)[] = []
    const outcome = await provider.read(account, [taskOf(remote, copy)], async (_, result) => void results.push(result))
    return { outcome, result: results[0] }
  })
  .extend('copy', async ({ read }) => async (before?: Copy) => {
    const { result } = await read(before)
    assert.equal(result?.kind, 'read', JSON.stringify(result))
    return { copy: applied(before, result as CalendarRead), isWhole: (result as CalendarRead).isWhole }
  })

const taskOf = (remote: string, copy?: Copy): ReadTask => ({
  remote,
  zone: 'Europe/Berlin',
  horizon,
  known: copy && { cursor: copy.cursor, versions: copy.versions, isCompared: false },
  digest: (text) => `#${text}`,
})

/** As `storeCopy` does. */
function applied(before: Copy | undefined, { isWhole, objects, removed, cursor }: CalendarRead): Copy {
  const busy = new Map(isWhole ? [] : before!.busy)
  const versions = new Map(isWhole ? [] : before!.versions)
  for (const digest of removed) {
    busy.delete(digest)
    versions.delete(digest)
  }
  for (const one of objects) {
    busy.set(
      one.digest,
      one.busy.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 16)),
    )
    versions.set(one.digest, one.version)
  }
  return { busy, versions, cursor }
}

const starts = ({ busy }: Copy) => [...busy.values()].flat().sort()
const weekly = {
  pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'], firstDayOfWeek: 'sunday' },
  range: { type: 'endDate', startDate: '2012-01-02', endDate: '2026-03-23' },
}
const addSeries = ({ mailbox }: MicrosoftServer, more: object = {}) =>
  mailbox.add('home', {
    ...{ start: '2012-01-02T08:00:00Z', end: '2012-01-02T09:00:00Z', zone: 'Europe/Berlin' },
    recurrence: weekly,
    ...more,
  })
const march = ['2026-03-02T08:00', '2026-03-09T08:00', '2026-03-16T08:00', '2026-03-23T08:00']

test('calendars are listed over all pages: the default one, those of others, those that cannot be written', async ({
  server,
  provider,
  account,
}) => {
  server.mailbox.addCalendar('holidays', { name: 'Holidays', canEdit: false })
  server.mailbox.addCalendar('boss', { name: 'Boss', canEdit: false, isShared: true })
  for (let nth = 0; nth < 120; nth++) server.mailbox.addCalendar(`more ${nth}/`)
  const listed = await provider.listCalendars(account)
  assert.equal(listed.kind, 'listed')
  const { calendars } = listed as Extract<typeof listed, { kind: 'listed' }>
  assert.equal(calendars.length, 123)
  assert.deepEqual(calendars.slice(0, 3), [
    {
      ...{ remote: 'home', name: 'Calendar', accessRole: 'owner', isPrimary: true, isFeed: false },
      ...{ timezone: null, isReadable: true, isWritable: true },
    },
    {
      ...{ remote: 'holidays', name: 'Holidays', accessRole: 'owner', isPrimary: false, isFeed: true },
      ...{ timezone: null, isReadable: true, isWritable: false },
    },
    {
      ...{ remote: 'boss', name: 'Boss', accessRole: 'reader', isPrimary: false, isFeed: false },
      ...{ timezone: null, isReadable: true, isWritable: false },
    },
  ])
})

test('a calendar is read whole, then what changed; identifiers stay when an event moves', async ({ server, copy }) => {
  const event = server.mailbox.add('home', { start: '2026-03-04T10:00:00Z', end: '2026-03-04T11:00:00Z' })
  addSeries(server)
  Object.assign(server.delta, { emptyPages: 2, isDoubled: true })
  const first = await copy()
  const february = ['2026-02-02T08:00', '2026-02-09T08:00', '2026-02-16T08:00', '2026-02-23T08:00']
  assert.deepEqual(starts(first.copy), [...february, march[0], '2026-03-04T10:00', ...march.slice(1)])
  server.mailbox.change(event, {
    times: { startMs: Date.parse('2026-03-05T10:00Z'), endMs: Date.parse('2026-03-05T11:00Z') },
  })
  server.mailbox.add('home', { start: '2020-01-01T10:00:00Z', end: '2020-01-01T11:00:00Z' })
  const second = await copy(first.copy)
  assert.equal(second.isWhole, false)
  assert.deepEqual(starts(second.copy), [...february, march[0], '2026-03-05T10:00', ...march.slice(1)])
  server.mailbox.remove(event)
  assert.deepEqual(starts((await copy(second.copy)).copy), [...february, ...march])
  assert.ok(server.asked.every(({ path, prefer }) => !path.includes('/me/') || prefer.includes('IdType="ImmutableId"')))
})

test('a series that becomes free, loses an occurrence, or is deleted', async ({ server, copy }) => {
  const range = { ...weekly.range, startDate: '2026-03-02' }
  const series = server.mailbox.add('home', {
    ...{ start: '2026-03-02T08:00:00Z', end: '2026-03-02T09:00:00Z', zone: 'Europe/Berlin' },
    recurrence: { ...weekly, range },
  })
  let { copy: now } = await copy()
  assert.deepEqual(starts(now), march)
  server.mailbox.moveOccurrence(series, '2026-03-09T08:00:00Z', '2026-03-10T12:00:00Z', '2026-03-10T13:00:00Z')
  now = (await copy(now)).copy
  assert.deepEqual(starts(now), [march[0], '2026-03-10T12:00', ...march.slice(2)])
  server.mailbox.removeOccurrence(series, '2026-03-16T08:00:00Z')
  const torn = await copy(now)
  assert.equal(torn.isWhole, true)
  assert.deepEqual(starts(torn.copy), [march[0], '2026-03-10T12:00', march[3]])
  server.mailbox.change(series, { fields: { showAs: 'free' } })
  now = (await copy(torn.copy)).copy
  assert.deepEqual(starts(now), ['2026-03-10T12:00'])
  server.mailbox.change(series, { fields: { showAs: 'busy' } })
  now = (await copy(now)).copy
  server.mailbox.remove(series)
  assert.deepEqual(starts((await copy(now)).copy), [])
})

test('a master that is missing is fetched, once, and without its title', async ({ server, copy }) => {
  const series = addSeries(server, { showAs: 'free' })
  server.delta.leavesOutMasters = true
  assert.deepEqual(starts((await copy()).copy), [])
  const fetched = server.asked.filter(({ path }) => path.includes('/events/'))
  assert.equal(fetched.length, 1)
  assert.match(decodeURIComponent(fetched[0]!.path), new RegExp(`/me/calendars/home/events/${series}\\?\\$select=`))
  assert.doesNotMatch(fetched[0]!.path, /subject|body/)
})

test('forgotten tokens lead to a read of everything', async ({ server, copy }) => {
  server.mailbox.add('home', { start: '2026-03-04T10:00:00Z', end: '2026-03-04T11:00:00Z' })
  const first = await copy()
  server.forgetSyncStates()
  server.mailbox.add('home', { start: '2026-03-05T10:00:00Z', end: '2026-03-05T11:00:00Z' })
  const again = await copy(first.copy)
  assert.equal(again.isWhole, true)
  assert.deepEqual(starts(again.copy), ['2026-03-04T10:00', '2026-03-05T10:00'])
})

test('a link to another origin gets no token', async ({ server, read }) => {
  server.mailbox.add('home', { start: '2026-03-04T10:00:00Z', end: '2026-03-04T11:00:00Z' })
  const body = { value: [], '@odata.nextLink': `http://localhost:${new URL(server.origin).port}/v1.0/me/steal` }
  server.quirk = () => ({ kind: 'answer', answer: { status: 200, body } })
  const { result } = await read()
  assert.equal((result as Failed).category, 'malformed')
  assert.equal(server.asked.length, 1)
})

for (const [what, answer, expected] of [
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '7' } }, ['rate_limited', 7_000]],
  ['429 without', { status: 429 }, ['rate_limited', undefined]],
  ['503 with Retry-After', { status: 503, headers: { 'retry-after': '3' } }, ['rate_limited', 3_000]],
  ['500', { status: 500, body: 'secret words' }, ['provider_error', undefined]],
] as const) {
  test(`${what} ends the read of the account`, async ({ server, read }) => {
    server.quirk = () => ({ kind: 'answer', answer })
    const { outcome, result } = await read()
    assert.equal(result, undefined)
    assert.deepEqual([(outcome as Failed).category, (outcome as Failed).retryAfterMs], expected)
    assert.doesNotMatch((outcome as Failed).message, /secret/)
  })
}

for (const [what, answer, category] of [
  ['403', { status: 403 }, 'forbidden'],
  ['404', { status: 404 }, 'not_found'],
  ['no JSON', { status: 200, body: '<html>' }, 'malformed'],
  ['an item without an identifier', { status: 200, body: { value: [{ type: 'occurrence' }] } }, 'malformed'],
  ['no link at the end', { status: 200, body: { value: [] } }, 'malformed'],
] as const) {
  test(`${what} is trouble of one calendar`, async ({ server, read }) => {
    server.quirk = () => ({ kind: 'answer', answer })
    const { outcome, result } = await read()
    assert.equal(outcome.kind, 'done')
    assert.equal((result as Failed).category, category)
  })
}

test('a token that is refused ends the read', async ({ server, read }) => {
  server.identity.expireAccess()
  assert.deepEqual((await read()).outcome, { kind: 'refused' })
})

test('many calendars are read with at most three requests at once', async ({ server, provider, account }) => {
  const names = Array.from({ length: 12 }, (_, nth) => `c${nth}`)
  for (const name of names) server.mailbox.addCalendar(name)
  server.delayMs = 20
  const seen: number[] = []
  const outcome = await provider.read(
    account,
    names.map((name) => taskOf(name)),
    async (nth, { kind }) => void (kind === 'read' && seen.push(nth)),
  )
  assert.equal(outcome.kind, 'done')
  assert.equal(seen.length, 12)
  assert.ok(server.mostAtOnce() <= 3)
})
