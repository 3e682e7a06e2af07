import assert from 'node:assert/strict'
import { vcalendar, vevent } from '../testing/feedServer.ts'
import { at, importTest } from '../testing/imports.ts'
import { assertRefused } from '../testing/refused.ts'

const test = importTest()

test('an import keeps details and transparency only where the subscription says so, at once and both ways', async ({
  service,
  desk,
  feeds,
}) => {
  const more = { LOCATION: 'Hall\\, 2', CATEGORIES: 'team', TRANSP: 'TRANSPARENT', CLASS: 'PRIVATE' }
  feeds.body = vcalendar(vevent('one', at(9, 'One', more)))
  const id = await desk.subscribed()
  const shown = async () => {
    const [{ location, labels, transparency, visibility }] = await desk.events()
    return [location, labels, transparency, visibility]
  }
  const nothing = [undefined, undefined, undefined, undefined]
  assert.deepEqual(await shown(), nothing)
  assert.ok(!('keep' in (await desk.read(id))))
  const path = `/v1/ical-subscriptions/${id}`
  const keep = async (kept: unknown) => {
    const { status, body } = await service.call('PATCH', path, { key: desk.key, body: { keep: kept } })
    assert.equal(status, 200, JSON.stringify(body))
    await service.drain()
    return body.keep
  }
  assert.deepEqual(await keep(['details']), ['details'])
  assert.deepEqual(await shown(), ['Hall, 2', ['team'], undefined, 'private'])
  const list = await service.call('GET', `/v1/calendars/${desk.calendar.id}/events?label=team`, { key: desk.key })
  assert.equal(list.body.total, 1)
  assert.deepEqual(await keep(['transparency', 'details']), ['details', 'transparency'])
  assert.deepEqual(await shown(), ['Hall, 2', ['team'], 'transparent', 'private'])
  assert.equal(await keep([]), undefined)
  assert.deepEqual(await shown(), nothing)
  const refused = await service.call('PATCH', path, { key: desk.key, body: { keep: ['all'] } })
  assertRefused(refused, 422, 'validation_error', { param: 'keep.0' })
})
