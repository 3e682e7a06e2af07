import assert from 'node:assert/strict'
import { ahead, makeCalendar } from '../../src/testing/factories.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ plan: 'pro' })

/** Of payloads, and what stands around them. */
const maxPage = 512 * 1024 + 64 * 1024

test('a page of the feed ends at half a megabyte of payloads, and nothing is missed', async ({ service, key }) => {
  const { call } = service
  const calendar = await makeCalendar(service, key)
  const start: string = (await call('GET', '/v1/changes', { key })).body.cursor
  const metadata = { text: 'x'.repeat(14_900) }
  for (let nth = 0; nth < 60; nth++) {
    const body = { title: `Event ${nth}`, start_time: ahead(service, nth), end_time: ahead(service, nth + 1), metadata }
    assert.equal((await call('POST', `/v1/calendars/${calendar.id}/events`, { key, body })).status, 201)
  }
  const titles: string[] = []
  const sizes: number[] = []
  for (let cursor = start, isMore = true; isMore; ) {
    const { body } = await call('GET', `/v1/changes?limit=200&cursor=${cursor}`, { key })
    sizes.push(JSON.stringify(body).length)
    titles.push(...body.data.map((entry: { payload: { event: { title: string } } }) => entry.payload.event.title))
    cursor = body.cursor
    isMore = body.has_more
  }
  assert.deepEqual(
    titles,
    Array.from({ length: 60 }, (_, nth) => `Event ${nth}`),
  )
  assert.ok(sizes.length === 2 && Math.max(...sizes) < maxPage, String(sizes))
  const bare = await call('GET', `/v1/changes?limit=200&payload=none&cursor=${start}`, { key })
  assert.deepEqual([bare.body.data.length, bare.body.has_more], [60, false])
})

test('a long list of large records comes whole', async ({ service, key }) => {
  const calendar = await makeCalendar(service, key)
  const metadata = { text: 'é'.repeat(7_000) }
  const path = `/v1/calendars/${calendar.id}/events`
  for (let nth = 0; nth < 45; nth++) {
    const body = { title: `Event ${nth}`, start_time: ahead(service, nth), end_time: ahead(service, nth + 1), metadata }
    assert.equal((await service.call('POST', path, { key, body })).status, 201)
  }
  const { status, headers, body } = await service.call('GET', `${path}?limit=200`, { key })
  assert.equal(status, 200)
  assert.equal(Number(headers.get('content-length')), Buffer.byteLength(JSON.stringify(body)))
  assert.deepEqual(
    body.data.map(({ title }: { title: string }) => title),
    Array.from({ length: 45 }, (_, nth) => `Event ${nth}`),
  )
})
