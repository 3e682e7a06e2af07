// Place, call, transparency, visibility, labels, colour and links of events.
import assert from 'node:assert/strict'
import { changesOf } from '../../src/testing/changes.ts'
import { everyDetail } from '../../src/testing/details.ts'
import { deskTest, minimal } from '../../src/testing/eventDesk.ts'
import { makeCalendar, makeHold, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = deskTest({ receives: ['event.created', 'event.updated'] })

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any
const detailsOf = (event: Any) =>
  Object.fromEntries(Object.keys(everyDetail).flatMap((name) => (name in event ? [[name, event[name]]] : [])))

test('every field is shown as it was sent: in the answer, in reads, lists, webhooks and the change feed', async ({
  service,
  key,
  receiver,
  desk: { calendar, post, get, pathOf },
}) => {
  const { status, body } = await post({ ...minimal, ...everyDetail })
  assert.equal(status, 201)
  assert.deepEqual(detailsOf(body), everyDetail)
  assert.deepEqual((await get(body.id)).body, body)
  const list = async (query = '') => (await service.call('GET', `${pathOf()}${query}`, { key })).body.data
  assert.deepEqual(await list(), [body])
  const window = '?expand=true&start_after=2026-03-01T00:00:00Z&start_before=2026-03-09T00:00:00Z'
  assert.deepEqual(await list(window), [body])
  const context = await service.call('GET', `/v1/calendars/${calendar.id}/context`, { key })
  assert.deepEqual(context.body.upcoming, [body])
  await service.drain()
  assert.deepEqual(receiver.received.at(-1)?.payload.event, body)
  const [last] = (await changesOf(service, calendar.orgId)).slice(-1)
  assert.deepEqual(last?.payload.event, body)
  const [row] = await service.app.sql`select * from events where details_sealed is not null`
  assert.ok(!Buffer.from(JSON.stringify(row)).includes('Room 4'))
})

test('a default is an absence, null and [] clear, and what is not named stays', async ({
  desk: { post, get, patch },
}) => {
  const defaults = { transparency: 'opaque', visibility: 'default', labels: [], links: [] }
  const plain = (await post({ ...minimal, ...defaults })).body
  assert.deepEqual(detailsOf(plain), {})
  const { body: event } = await post({ ...minimal, ...everyDetail })
  const renamed = await patch(event.id, { title: 'Other' })
  assert.deepEqual(detailsOf(renamed.body), everyDetail)
  const moved = await patch(event.id, { location: 'Hall', conference: { url: 'https://call.example.com/1' } })
  assert.deepEqual(detailsOf(moved.body), {
    ...everyDetail,
    ...{ location: 'Hall', conference: { url: 'https://call.example.com/1' } },
  })
  assert.deepEqual((await get(event.id)).body, moved.body)
  const nothing = { location: null, conference: null, transparency: null, visibility: null, color: null }
  assert.deepEqual(detailsOf((await patch(event.id, { ...nothing, labels: [], links: null })).body), {})
  assert.deepEqual(detailsOf((await get(event.id)).body), {})
})

const wrong: [name: string, body: object, param: string][] = [
  ['an empty place', { location: '' }, 'location'],
  ['a long place', { location: 'x'.repeat(1_001) }, 'location'],
  ['a place of two lines', { location: 'a\nb' }, 'location'],
  ['a call without an address', { conference: { provider: 'Meet' } }, 'conference.url'],
  ['a call over http', { conference: { url: 'http://meet.example.com' } }, 'conference.url'],
  ['a call without a host', { conference: { url: 'https://' } }, 'conference.url'],
  ['an address of two lines', { conference: { url: 'https://meet.example.com/\nX' } }, 'conference.url'],
  [
    'an address that is too long',
    { conference: { url: `https://example.com/${'x'.repeat(2_048)}` } },
    'conference.url',
  ],
  [
    'a provider with a control character',
    { conference: { url: 'https://a.example', provider: 'a\u0007' } },
    'conference.provider',
  ],
  ['a long PIN', { conference: { url: 'https://a.example', pin: '1'.repeat(51) } }, 'conference.pin'],
  ['an unknown field of a call', { conference: { url: 'https://a.example', host: 'x' } }, 'conference.host'],
  ['an unknown transparency', { transparency: 'free' }, 'transparency'],
  ['an unknown visibility', { visibility: 'public' }, 'visibility'],
  ['an empty label', { labels: [''] }, 'labels.0'],
  ['a long label', { labels: ['a', 'x'.repeat(65)] }, 'labels.1'],
  ['two equal labels', { labels: ['a', 'b', 'a'] }, 'labels.2'],
  ['too many labels', { labels: Array.from({ length: 21 }, (_, nth) => `${nth}`) }, 'labels'],
  ['a colour in capitals', { color: 'Teal' }, 'color'],
  ['a colour by number', { color: '#008080' }, 'color'],
  ['a link over ftp', { links: [{ url: 'ftp://example.com' }] }, 'links.0.url'],
  [
    'a link with a wrong type',
    { links: [{ url: 'https://example.com' }, { url: 'https://example.com', type: 'pdf' }] },
    'links.1.type',
  ],
  ['too many links', { links: Array.from({ length: 21 }, () => ({ url: 'https://example.com' })) }, 'links'],
]

test('wrong values are refused by their path, on create and on PATCH', async ({
  service,
  key,
  desk: { calendar, post, patch },
}) => {
  const { body: event } = await post(minimal)
  for (const [, body, param] of wrong) {
    assertRefused(await post({ ...minimal, ...body }), 400, 'validation_error', { param })
    assertRefused(await patch(event.id, body), 400, 'validation_error', { param })
  }
  assertRefused(await post({ ...minimal, location: null }), 400, 'validation_error', { param: 'location' })
  const hold = { ...minimal, status: 'hold', hold_expires_at: '2026-03-02T09:05:00Z' }
  const transparent = await post({ ...hold, transparency: 'transparent' })
  assertRefused(transparent, 400, 'validation_error', { param: 'transparency' })
  const held = await makeHold(service, key, calendar.id, { location: 'Hall', labels: ['team'] })
  assert.deepEqual(detailsOf(held), { location: 'Hall', labels: ['team'] })
  const confirmed = await service.call('PUT', `/v1/events/${held.id}/confirm`, { key })
  assert.deepEqual(detailsOf(confirmed.body), { location: 'Hall', labels: ['team'] })
})

test('an occurrence has what its series has, but for what is its own; a split takes it along', async ({
  service,
  key,
  desk: { pathOf, post, patch },
}) => {
  const rule = { recurrence_rule: 'FREQ=DAILY;COUNT=6' }
  const { body: series } = await post({ ...minimal, ...rule, ...everyDetail, location: 'Hall' })
  const at = (day: number, more = '') => `${pathOf(series.id)}?occurrence_start=2026-03-0${day}T10:00:00Z${more}`
  const call = (method: string, path: string, body?: object) => service.call(method, path, { key, body })
  const own = { location: 'Room 9', transparency: 'opaque', labels: ['solo'] }
  const { transparency, ...inherited } = everyDetail
  const changed = detailsOf((await call('PATCH', at(3), own)).body)
  assert.deepEqual(changed, { ...inherited, location: 'Room 9', labels: ['solo'] })
  await patch(series.id, { location: 'Lobby', color: 'teal', conference: null })
  const { body: read } = await call('GET', at(3))
  assert.deepEqual(
    [read.location, read.color, read.conference, read.labels, read.transparency],
    ['Room 9', 'teal', undefined, ['solo'], undefined],
  )
  const { body: split } = await call('PATCH', at(5, '&scope=following'), { visibility: null })
  const { conference: _, visibility, ...others } = inherited
  const rest = { ...others, transparency, location: 'Lobby', color: 'teal' }
  assert.deepEqual(detailsOf(split.series), rest)
  assert.deepEqual(detailsOf(split.previous), { ...rest, visibility })
  const reverted = await call('DELETE', at(3, '&revert=true'))
  assert.equal(reverted.status, 200)
  assert.deepEqual(detailsOf((await call('GET', at(3))).body), { ...rest, visibility })
})

test('label finds the events that have exactly this label, in every list', async ({
  service,
  key,
  desk: { calendar, pathOf, post, patch },
}) => {
  const list = async (query: string, path = pathOf()) => {
    const { status, body } = await service.call('GET', `${path}?${query}`, { key })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.total, body.data.length)
    return body.data.map(({ title }: Any) => title)
  }
  const label = `label=${encodeURIComponent('Team 1')}`
  assert.deepEqual(await list(label), [], 'before the organization has any label')
  await post({ ...minimal, title: 'A', labels: ['x', 'Team 1'] })
  const { body: other } = await post({ ...minimal, title: 'B', labels: ['Team 1', 'y'] })
  await post({ ...minimal, title: 'C', labels: ['team 1'] })
  await post({ ...minimal, title: 'D' })
  const { body: series } = await post({
    ...{
      ...minimal,
      title: 'S',
      labels: ['Team 1'],
      start_time: '2026-03-05T10:00:00Z',
      end_time: '2026-03-05T11:00:00Z',
    },
    recurrence_rule: 'FREQ=DAILY;COUNT=3',
  })
  assert.deepEqual(await list(label), ['A', 'B', 'S'])
  assert.deepEqual(await list(`${label}&status=tentative`), [])
  assert.deepEqual(await list(`${label}&start_after=2026-03-04T00:00:00Z`), ['S'])
  const window = `${label}&expand=true&start_after=2026-03-01T00:00:00Z&start_before=2026-03-20T00:00:00Z`
  assert.deepEqual(await list(window), ['A', 'B', 'S', 'S', 'S'])
  const occurrence = `${pathOf(series.id)}?occurrence_start=2026-03-06T10:00:00Z`
  await service.call('PATCH', occurrence, { key, body: { labels: ['z'] } })
  assert.deepEqual(await list(window), ['A', 'B', 'S', 'S'])
  await patch(other.id, { labels: null })
  await patch(other.id, { title: 'B2' })
  assert.deepEqual(await list(label), ['A', 'S'])
  const page = await service.call('GET', `${pathOf()}?${label}&limit=1&offset=1`, { key })
  assert.deepEqual([page.body.total, page.body.data.map(({ title }: Any) => title)], [2, ['S']])
  for (const query of ['label=', `${label}&label=x`, `label=${'x'.repeat(65)}`])
    assertRefused(await service.call('GET', `${pathOf()}?${query}`, { key }), 400, 'validation_error', {
      param: 'label',
    })
  const stranger = await makeOrganization(service)
  const theirs = await makeCalendar(service, stranger.key)
  const asked = await service.call('GET', `/v1/calendars/${theirs.id}/events?${label}`, { key: stranger.key })
  assert.deepEqual(asked.body.data, [])
  assert.notEqual(theirs.id, calendar.id)
})

test('a transparent event takes no time, until it is made opaque', async ({
  service,
  key,
  desk: { calendar, post, patch },
}) => {
  const free = async () => {
    const query = 'start=2026-03-02T09:30:00Z&end=2026-03-02T11:00:00Z&include_busy=true&explain=true'
    const { body } = await service.call('GET', `/v1/calendars/${calendar.id}/availability?${query}`, { key })
    return body.busy
  }
  const { body: event } = await post({ ...minimal, transparency: 'transparent', require_free: true })
  const daily = { recurrence_rule: 'FREQ=DAILY;COUNT=3', transparency: 'transparent' }
  const { body: series } = await post({
    ...minimal,
    ...daily,
    start_time: '2026-03-01T10:00:00Z',
    end_time: '2026-03-01T10:20:00Z',
  })
  assert.deepEqual(await free(), [])
  const { body: opaque } = await post({ ...minimal, require_free: true })
  assert.equal((await free()).length, 1)
  assert.equal((await post({ ...minimal, transparency: 'transparent', require_free: true })).status, 201)
  assertRefused(await patch(event.id, { transparency: 'opaque', require_free: true }), 409, 'conflict', {
    code: 'not_free',
  })
  assert.equal((await patch(event.id, { transparency: 'opaque' })).status, 200)
  await patch(opaque.id, { status: 'cancelled' })
  await patch(event.id, { transparency: 'transparent' })
  const occurrence = `/v1/events/${series.id}?occurrence_start=2026-03-02T10:00:00Z`
  await service.call('PATCH', occurrence, { key, body: { transparency: 'opaque' } })
  assert.deepEqual(
    (await free()).map(({ end }: Any) => end),
    ['2026-03-02T10:20:00.000Z'],
  )
  assertRefused(await post({ ...minimal, require_free: true }), 409, 'conflict', { code: 'not_free' })
})
