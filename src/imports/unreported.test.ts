// A large sync that is lost between two blocks: what it has written is told, whatever comes next.
import assert from 'node:assert/strict'
import { vcalendar, vevent } from '../testing/feedServer.ts'
import { at, importTest, minute } from '../testing/imports.ts'

const many = Array.from({ length: 2_500 }, (_, nth) => vevent(`n${nth}`, at(nth % 24, `Event ${nth}`)))

/** `lost`: a subscription whose first sync was lost after its first block. */
const test = importTest().extend('lost', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar(...many)
  const id = await desk.subscribe()
  const { sql } = service.app
  await sql`
    create or replace function refuse_second_block() returns trigger language plpgsql as $$
    begin
      if (select count(*) from events where calendar_id = new.calendar_id) >= 2000 then raise exception 'lost'; end if;
      return new;
    end $$`
  await sql`create trigger lost before insert on events for each row execute function refuse_second_block()`
  await service.drain()
  await sql`drop trigger lost on events`
  assert.deepEqual(await desk.imports(), [])
  const ids = { calendar_id: desk.calendar.id, ical_subscription_id: id }
  return { id, written: { ...ids, added: 2_000, changed: 0, removed: 0 } }
})

test('the next sync tells it, even if nothing else has changed', async ({ desk, feeds, lost }) => {
  feeds.body = vcalendar(...many.slice(0, 2_000))
  await desk.syncedAgain(lost.id)
  assert.deepEqual(
    (await desk.imports()).map(({ payload }) => payload),
    [lost.written],
  )
  await desk.syncedAgain(lost.id)
  assert.equal((await desk.imports()).length, 1)
})

test('the removal of the subscription tells it in the same change', async ({ service, desk, lost }) => {
  const revision = await desk.revision()
  const path = `/v1/ical-subscriptions/${lost.id}`
  assert.equal((await service.call('DELETE', path, { key: desk.key })).status, 204)
  const [entry, ...more] = await desk.imports()
  assert.deepEqual([entry!.payload, entry!.revision, entry!.position, more.length], [lost.written, revision, 0, 0])
})

test('the end of its agent tells it once', async ({ service, desk, lost }) => {
  await service.call('DELETE', `/v1/agents/${desk.agent.id}`, { key: desk.key })
  for (let n = 0; n < 2; n++) {
    await service.clock.advance(24 * 60 * minute)
    await service.drain()
    assert.deepEqual(
      (await desk.imports()).map(({ payload }) => payload),
      [lost.written],
    )
  }
})

test('a deleted calendar has nothing more to tell', async ({ service, desk, lost }) => {
  await service.call('DELETE', `/v1/calendars/${desk.calendar.id}`, { key: desk.key })
  await service.clock.advance(24 * 60 * minute)
  await service.drain()
  const path = `/v1/ical-subscriptions/${lost.id}`
  assert.equal((await service.call('DELETE', path, { key: desk.key })).status, 204)
  assert.deepEqual(await desk.imports(), [])
})
