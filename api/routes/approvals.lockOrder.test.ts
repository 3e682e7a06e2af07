// Two decisions of one approval lock the same rows, in one order: the approval first (docs/decisions/lock-order.md).
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
import { ahead, makeCalendar, makeHold } from '../../src/testing/factories.ts'
import { deadlocks, untilWaiting } from '../../src/testing/locks.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ plan: 'pro' }).extend('desk', ({ service, key }) => openApprovalDesk(service, key))

const decisions = ['approve', 'reject'] as const

test('an approval and a rejection at one moment cause no deadlock, whichever comes first and waits for whatever', async ({
  call,
  second,
  service,
  key,
  desk,
}) => {
  const { path, body, guarded, ask, read } = desk
  const agentKey = await guarded()
  const { sql } = service.app
  // With one key both also write one row of `answers`, on two processes.
  for (const [nth, first] of decisions.entries())
    for (const table of ['approvals', 'timers', 'api_keys'])
      for (const once of [undefined, `${first}-${table}`]) {
        const { id } = await ask(agentKey, 'POST', path, body())
        const headers: Record<string, string> = once === undefined ? {} : { 'Idempotency-Key': once }
        const decide = (at: typeof call, decision: string) =>
          at('POST', `/v1/approvals/${id}/${decision}`, { key, body: {}, headers })
        const before = await deadlocks(sql)
        const other = await sql.reserve()
        await other`begin`
        const approval = sql`select from approvals a where a.id = ${decodeId('apr', id)!}`
        if (table === 'approvals') await other`${approval} for update`
        if (table === 'timers')
          await other`select from timers t where exists (${approval} and a.id = t.subject_id) for update`
        if (table === 'api_keys')
          await other`select from api_keys k where exists (${approval} and a.key_id = k.id) for update`
        const begun = decide(call, first)
        await untilWaiting(sql, 1)
        const followed = decide(second.call, decisions[1 - nth]!)
        await untilWaiting(sql, 2)
        await other`commit`
        other.release()
        const answers = await Promise.all([begun, followed])
        assert.equal((await deadlocks(sql)) - before, 0, `${first}, ${table}, ${once}`)
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [200, once === undefined ? 409 : 422])
        assert.equal((await read(id)).status, answers.find(({ status }) => status === 200)!.body.status)
      }
})

test('approved changes of one key with a limit per day cause no deadlock, whatever they change', async ({
  service,
  key,
  desk,
}) => {
  const { agent, calendar, path, body, guarded, ask, decide } = desk
  const { sql } = service.app
  const agentKey = await guarded({ on: 'all' }, { max_holds_per_day: 20, max_events_per_day: 20 })
  const hold_expires_at = ahead(service, 10)
  const other = await makeCalendar(service, key, agent.id)
  const requirements = [{ calendar_ids: [other.id] }]
  const group = { ...body('Group'), hold_expires_at, requirements }
  const hold = { ...body('Hold'), status: 'hold', hold_expires_at }
  const low = await makeHold(service, key, calendar.id, {
    start_time: ahead(service, 60),
    end_time: ahead(service, 61),
  })
  for (const [nth, higher] of [[0, {}] as const, [1, { hold_priority: 5 }] as const]) {
    const first = await ask(agentKey, 'POST', path, nth === 0 ? { ...body('Event', 200) } : { ...hold, ...higher })
    const second = await ask(agentKey, 'POST', '/v1/hold-groups', { ...group, ...body('Group', 300 + nth * 5) })
    const before = await deadlocks(sql)
    const open = await sql.reserve()
    await open`begin`
    await open`select from approvals where id = ${decodeId('apr', first.id)!} for update`
    const begun = decide(first.id, 'approve')
    await untilWaiting(sql, 1)
    const followed = decide(second.id, 'approve')
    await Promise.race([followed, untilWaiting(sql, 2)])
    await open`commit`
    open.release()
    const answers = await Promise.all([begun, followed])
    assert.equal((await deadlocks(sql)) - before, 0)
    assert.deepEqual(
      answers.map(({ body: decided }) => [decided.status, decided.result.status]),
      [
        ['approved', 201],
        ['approved', 201],
      ],
    )
  }
  assert.equal((await service.call('GET', `/v1/events/${low.id}`, { key })).body.status, 'cancelled')
})
