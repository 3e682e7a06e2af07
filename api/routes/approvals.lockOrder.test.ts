// Two decisions of one approval lock the same rows, in one order: the approval first (docs/decisions/lock-order.md).
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
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
