// Fifty groups over ten calendars in opposite orders, beside single holds, while the processes that answer are killed. Every request is
// repeated with its key until it is answered: in the end each change is there once and whole, with all that belongs to it.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from '../../src/testing/answer.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { assertWhole, countDeadlocks, groupTest, groupTypes } from '../../src/testing/holdGroups.ts'
import { type Caller, callerOf } from '../../src/testing/http.ts'
import { forkApi, openProcess, openRealTime } from '../../src/testing/process.ts'
import { fireDue } from '../../workers/timers.ts'

const test = groupTest(10)

const minuteMs = 60_000
const groups = 50
const kills = 4
/** Requests at once. */
const workers = 12
/** So many groups in a row want the same times. */
const rivals = 16
const timesOfRivals = 4

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any
type Asked = { method: string; path: string; body?: object; idempotencyKey: string; answer: Answer }

/** Two API processes. `kill` ends one of them by SIGKILL in the middle of its work, and starts another in its place. */
async function openTwo(service: TestService) {
  const start = async () => {
    const child = forkApi(service)
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return { child, call: callerOf(`http://127.0.0.1:${port}`) }
  }
  const running: { child: ChildProcess; call: Caller }[] = await Promise.all([start(), start()])
  const end = async ({ child }: { child: ChildProcess }) => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return {
    call: (nth: number): Caller => running[nth % 2]!.call,
    async kill(nth: number) {
      await end(running[nth % 2]!)
      running[nth % 2] = await start()
    },
    close: () => Promise.all(running.map(end)),
  }
}

/** Postgres finishes what it was sent, also when the sender is gone. */
async function untilIdle({ app }: TestService) {
  for (;;) {
    const [row] = await app.sql<{ busy: number }[]>`
      select count(*)::integer as busy from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
    if (row!.busy === 0) return
    await pause(50)
  }
}

/** The rows that contradict each other, each with what is wrong with it. */
async function contradictions({ app: { sql } }: TestService): Promise<string[]> {
  const rows = await sql<{ wrong: string }[]>`
    select 'counts of calendar ' || c.id as wrong from calendars c left join events e on (e.org_id, e.calendar_id) = (c.org_id, c.id)
    group by c.org_id, c.id
    having (c.confirmed_events, c.tentative_events, c.cancelled_events, c.hold_events) is distinct from (
      count(*) filter (where e.status = 'confirmed')::integer, 0,
      count(*) filter (where e.status = 'cancelled')::integer, count(*) filter (where e.status = 'hold')::integer)
    union all
    select 'deliveries of ' || c.type || ' ' || c.resource_id from changes c
    left join webhook_deliveries d on (d.org_id, d.change_id, d.position, d.event_type) = (c.org_id, c.change_id, c.position, c.type)
    where c.type = any(${groupTypes}) group by c.change_id, c.position, c.type, c.resource_id having count(d.id) <> 1
    union all
    select 'entry of delivery ' || d.id from webhook_deliveries d
    left join changes c on (c.org_id, c.change_id, c.position) = (d.org_id, d.change_id, d.position) where c.change_id is null
    union all
    select 'entries of event ' || e.id || ': ' || coalesce(string_agg(c.type, ' ' order by c.seq), 'none') from events e
    left join changes c on c.org_id = e.org_id and c.resource_id = e.id
      and c.type in ('event.hold_created', 'event.hold_expired', 'event.hold_released', 'event.hold_confirmed')
    group by e.org_id, e.id
    having coalesce(string_agg(c.type, ' ' order by c.seq), '')
      <> 'event.hold_created' || coalesce(' event.hold_' || replace(e.hold_outcome, 'preempted', 'expired'), '')
    union all
    select 'entries of group ' || g.id || ': ' || coalesce(string_agg(c.type, ' ' order by c.seq), 'none') from hold_groups g
    left join changes c on c.org_id = g.org_id and c.resource_id = g.id
    group by g.org_id, g.id
    having coalesce(string_agg(c.type, ' ' order by c.seq), '')
      <> 'hold_group.created' || case g.status when 'held' then '' else ' hold_group.' || g.status end
    union all
    select 'audit entries of events' where
      (select array[count(*), count(distinct resource)] from audit_entries where action = 'event.create')
        <> (select array[count(*), count(*)] from events)
      or (select count(*) from audit_entries where action = 'event.update')
        <> (select count(*) from changes where type in ('event.hold_released', 'event.hold_confirmed', 'event.hold_renewed'))
    union all
    select 'timers of group ' || g.id from hold_groups g
    left join timers t on t.org_id = g.org_id and t.subject_id = g.id
    group by g.org_id, g.id
    having array_agg(t.kind || t.due_at::text) is distinct from case g.status
      when 'held' then array['hold_group_expiry' || g.hold_expires_at::text] else array[null::text] end
    union all
    select 'timers of event ' || e.id || ': ' || coalesce(string_agg(t.kind, ' ' order by t.kind), 'none') from events e
    left join timers t on t.org_id = e.org_id and t.subject_id = e.id
    group by e.org_id, e.id
    having coalesce(string_agg(t.kind, ' ' order by t.kind), '') <> case
      when e.status = 'confirmed' then 'event_end event_reminder event_start'
      when e.status = 'hold' and e.hold_group_id is null then 'hold_expiry' else '' end
    union all
    select 'timer of nothing ' || t.subject_id from timers t
    where not exists (select from events e where e.id = t.subject_id)
      and not exists (select from hold_groups g where g.id = t.subject_id)`
  return rows.map(({ wrong }) => wrong)
}

test('groups whose processes are killed are whole or not there, and a repeated request gets its answer', async ({
  service,
  desk,
  key,
  onTestFinished,
}) => {
  const steady = await openRealTime(service)
  onTestFinished(() => steady.close())
  const processes = await openTwo(service)
  onTestFinished(async () => void (await processes.close()))
  const deadlocks = await countDeadlocks(service)
  const asked: Asked[] = []
  /** Requests whose process was killed before it answered. */
  let lost = 0

  const ask = async (nth: number, method: string, path: string, body?: object): Promise<Answer> => {
    const idempotencyKey = randomUUID()
    const options = { key, headers: { 'idempotency-key': idempotencyKey }, ...(body && { body }) }
    for (let tries = 0; ; tries++) {
      assert.ok(tries < 200, `${method} ${path} was never answered`)
      const call = processes.call(nth + tries)
      const answer = await call(method, path, options).catch(({ cause }) => {
        if (cause?.code !== 'ECONNREFUSED') lost++
      })
      if (answer && answer.status !== 503) {
        assert.ok([200, 201, 409].includes(answer.status), JSON.stringify(answer.body))
        if (answer.status !== 409) asked.push({ method, path, idempotencyKey, answer, ...(body && { body }) })
        return answer
      }
      await pause(50)
    }
  }
  const base = Math.ceil(Date.now() / minuteMs) * minuteMs
  const iso = (ms: number) => new Date(ms).toISOString()
  const times = (nth: number) => {
    const slot = Math.floor(nth / rivals) * timesOfRivals + (nth % timesOfRivals)
    const start = base + (60 + slot * 30) * minuteMs
    return {
      start_time: iso(start),
      end_time: iso(start + 30 * minuteMs),
      hold_expires_at: iso(Date.now() + 5 * minuteMs),
    }
  }
  const groupIds: string[] = []
  const placeAndEnd = async (nth: number) => {
    const numbers = [...new Set([0, 1, 2, 3].map((step) => (nth * 3 + step * (1 + (nth % 3))) % 10))]
    const ordered = (nth % 2 === 0 ? numbers : numbers.toReversed()).map((one) => desk.ids[one]!)
    const requirements =
      nth % 5 === 0 ? [{ calendar_ids: ordered, need: 2, spare: 1 }] : ordered.map((id) => ({ calendar_ids: [id] }))
    const body = { title: `Group ${nth}`, ...times(nth), hold_priority: nth % 7, renewable: true, requirements }
    const { status, body: group } = await ask(nth, 'POST', '/v1/hold-groups', body)
    if (status !== 201) return
    groupIds.push(group.id)
    const verb = ['confirm', 'renew', 'release', 'renew', 'leave'][nth % 5]!
    if (verb === 'leave') return
    const until = { hold_expires_at: iso(Date.parse(body.hold_expires_at) + minuteMs) }
    await ask(nth + 1, 'PUT', `/v1/hold-groups/${group.id}/${verb}`, verb === 'renew' ? until : undefined)
  }
  const placeSingle = (nth: number) =>
    ask(nth, 'POST', `/v1/calendars/${desk.ids[nth % 10]}/events`, {
      ...{ title: `Single ${nth}`, status: 'hold', hold_priority: nth % 9, ...times(nth) },
    })

  let next = 0
  let isKilled = false
  const work = async () => {
    // At least fifty groups, and as many more as come while processes are killed.
    for (let nth = next++; nth < groups || !isKilled; nth = next++) {
      await placeAndEnd(nth)
      if (nth % 3 === 0) await placeSingle(nth)
    }
  }
  const kill = async () => {
    for (let nth = 0; nth < kills; nth++) {
      await pause(100 + Math.random() * 200)
      await processes.kill(nth)
    }
    isKilled = true
  }
  // One statement sees one moment: also between the changes nothing contradicts anything.
  const look = async () => {
    for (; !isKilled; await pause(200)) assert.deepEqual(await contradictions(service), [])
  }
  await Promise.all([...Array.from({ length: workers }, work), kill(), look()])
  await untilIdle(service)

  assert.ok(lost > 0, 'no request lost its process')
  assert.ok(groupIds.length > 10, `${groupIds.length} groups`)
  const { body: all } = await steady.call('GET', '/v1/hold-groups?limit=100', { key })
  const seen = {
    ids: desk.ids,
    get: async (id: string): Promise<Any> => (await steady.call('GET', `/v1/hold-groups/${id}`, { key })).body,
    eventsOn: async (nth: number): Promise<Any[]> =>
      (await steady.call('GET', `/v1/calendars/${desk.ids[nth]}/events?limit=200`, { key })).body.data,
  }
  // A request that was repeated made one group: each that is there was acknowledged.
  assert.equal(all.total, new Set(groupIds).size)
  assert.equal(groupIds.length, new Set(groupIds).size)
  await assertWhole(seen, groupIds)
  assert.deepEqual(await contradictions(service), [])
  const repeat = async ({ method, path, body, idempotencyKey, answer }: Asked) => {
    const options = { key, headers: { 'idempotency-key': idempotencyKey }, ...(body && { body }) }
    const again = await steady.call(method, path, options)
    assert.deepEqual([again.status, again.body], [answer.status, answer.body], `${method} ${path}`)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
  await Promise.all(asked.map(repeat))
  assert.deepEqual(await contradictions(service), [])
  assert.equal(await countDeadlocks(service), deadlocks)

  // Whatever is still held ends when its time is up, as a whole.
  await service.app.sql`create or replace function app_now() returns timestamptz language sql stable
    as $$select now() + interval '20 minutes'$$`
  const late = await openProcess(service, { clock: { now: () => new Date(Date.now() + 20 * minuteMs) } })
  onTestFinished(() => late.close())
  await fireDue(late.app)
  const { body: held } = await late.call('GET', '/v1/hold-groups?status=held', { key })
  assert.equal(held.total, 0)
  await assertWhole(
    { ...seen, get: async (id) => (await late.call('GET', `/v1/hold-groups/${id}`, { key })).body },
    groupIds,
  )
  assert.deepEqual(await contradictions(service), [])
})
