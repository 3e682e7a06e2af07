// Postgres refuses statements for reasons of its own. A trigger raises each error where the events of a calendar are written.
import assert from 'node:assert/strict'
import { sqlStates } from '../src/stores/sqlStates.ts'
import { ahead, makeAgent, makeCalendar } from '../src/testing/factories.ts'
import { askMcp, mcpError } from '../src/testing/mcp/mcp.ts'
import { openProcess } from '../src/testing/process.ts'
import { assertRefused } from '../src/testing/refused.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'

const raising = `
  create table raised (state text);
  create function raise_state() returns trigger language plpgsql as $$
  declare wanted text := (select state from raised);
  begin
    if wanted is not null then raise exception 'raised by the test' using errcode = wanted; end if;
    return new;
  end $$;
  create trigger raise_state before insert or update on events for each row execute function raise_state()`

const test = serviceTest()
  .extend('calendar', perFile, async ({ service, key }) => {
    await service.app.sql.unsafe(raising)
    const agent = await makeAgent(service, key)
    return makeCalendar(service, key, agent.id)
  })
  .extend('raise', perFile, ({ service }) => async (state: string | undefined) => {
    await service.app.sql`delete from raised`
    if (state) await service.app.sql`insert into raised values (${state})`
  })
  .extend('body', perFile, ({ service }) => ({
    title: 'T',
    start_time: ahead(service, 60),
    end_time: ahead(service, 90),
  }))

const defects = ['22012', '23502', '23514', '42P01', '42501', 'XX000', 'P0001']

test('every passing trouble of Postgres at a write is 503 with Retry-After; a defect is 500 without', async ({
  call,
  key,
  calendar,
  raise,
  body,
}) => {
  const path = `/v1/calendars/${calendar.id}/events`
  const states = sqlStates.filter(({ handling }) => handling !== 'expected').map(({ state }) => state.padEnd(5, '0'))
  for (const state of [...states, '53100', '53200', '40001', '40P01', '08006', '28P01']) {
    await raise(state)
    const refused = await call('POST', path, { key, body })
    assertRefused(refused, 503, 'internal_error')
    assert.equal(refused.headers.get('retry-after'), '1', state)
  }
  for (const state of defects) {
    await raise(state)
    const refused = await call('POST', path, { key, body })
    assertRefused(refused, 500, 'internal_error')
    assert.equal(refused.headers.get('retry-after'), null, state)
  }
  await raise(undefined)
  assert.equal((await call('GET', path, { key })).body.data.length, 0)
  assert.equal((await call('POST', path, { key, body })).status, 201)
})

test('a full disk says that nothing was written: over REST, with a key, to a model', async ({
  service,
  call,
  key,
  calendar,
  raise,
  body,
}) => {
  await raise('53100')
  const later = { title: 'Later', start_time: ahead(service, 160), end_time: ahead(service, 190) }
  const path = `/v1/calendars/${calendar.id}/events`
  for (const headers of [{}, { 'idempotency-key': 'once' }] as Record<string, string>[]) {
    const refused = await call('POST', path, { key, body, headers })
    assertRefused(refused, 503, 'internal_error')
    assert.match(refused.body.error.message, /Nothing was written/)
  }
  const sent = { calendar_id: calendar.id, ...later, idempotency_key: 'a-key-of-the-model' }
  const called = { name: 'create_event', arguments: sent }
  const answer = await askMcp(service, 'tools/call', called, { key })
  const { type, retryable, retry_after_seconds } = mcpError(answer.body.result)
  assert.deepEqual([type, retryable, retry_after_seconds], ['internal_error', true, 1])
  await raise(undefined)
  assert.equal((await call('POST', path, { key, body, headers: { 'idempotency-key': 'once' } })).status, 201)
})

test('a server that takes no writes any more answers reads; writes are 503 until a connection leads to one that does', async ({
  service,
  key,
  calendar,
  raise,
  body,
  onTestFinished,
}) => {
  await raise(undefined)
  const { sql } = service.app
  const [{ name }] = await sql`select current_database() as name`
  const readOnly = (value: string) => sql.unsafe(`alter database ${name} set default_transaction_read_only = ${value}`)
  await readOnly('on')
  const replica = await openProcess(service)
  onTestFinished(replica.close)
  const path = `/v1/calendars/${calendar.id}/events`
  assert.equal((await replica.call('GET', path, { key })).status, 200)
  const refused = await replica.call('POST', path, { key, body })
  assertRefused(refused, 503, 'internal_error')
  assert.equal(refused.headers.get('retry-after'), '1')
  await readOnly('off')
  // An older connection is still read-only: the write that meets it closes it.
  const statuses: number[] = []
  for (let tries = 0; tries < 10 && !statuses.includes(201); tries++) {
    statuses.push((await replica.call('POST', path, { key, body })).status)
  }
  assert.equal(statuses.at(-1), 201, String(statuses))
  assert.deepEqual(new Set(statuses.slice(0, -1)).difference(new Set([503])), new Set())
})

test('the same at a read: here a view raises the error', async ({ service, call, key, calendar, raise }) => {
  await service.app.sql.unsafe(`
    create function raise_at_read() returns boolean language plpgsql as $$
    declare wanted text := (select state from raised);
    begin
      if wanted is not null then raise exception 'raised by the test' using errcode = wanted; end if;
      return true;
    end $$;
    alter table events rename to events_below;
    create view events as select * from events_below where raise_at_read()`)
  const path = `/v1/calendars/${calendar.id}/events`
  for (const state of ['53200', '53100', '40001', '57P01', '58030']) {
    await raise(state)
    const refused = await call('GET', path, { key })
    assertRefused(refused, 503, 'internal_error')
    assert.equal(refused.headers.get('retry-after'), '1', state)
  }
  await raise('XX001')
  assertRefused(await call('GET', path, { key }), 500, 'internal_error')
  await raise(undefined)
  assert.equal((await call('GET', path, { key })).status, 200)
})
