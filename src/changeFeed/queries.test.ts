// What a poll costs an organization with many entries.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent, makeOrganization } from '../testing/factories.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { serviceTest } from '../testing/test.ts'
import { currentSnapshot, newsSince } from './queries.ts'

const test = serviceTest().extend('single', async ({ service }, { onCleanup }) => {
  const app = openSingleConnection(service)
  onCleanup(() => app.sql.end())
  return app
})

test('a poll that finds nothing reads nothing, however Postgres plans it', async ({ service, single }) => {
  const { id, key } = await makeOrganization(service)
  await makeAgent(service, key)
  const orgId = decodeId('org', id)!
  const { sql } = service.app
  const write = (count: number) => sql`
    insert into changes (org_id, seq, change_id, position, type, agent_id, resource_id, cause, payload_sealed, created_at)
    select org_id, nextval('changes_seq'), uuidv7(), 0, type, agent_id, resource_id, cause, payload_sealed, created_at
    from (select * from changes where org_id = ${orgId} limit 1) first, generate_series(1, ${count})`
  await write(3_000)
  await sql`analyze changes`
  // What comes after the statistics were taken looks to Postgres as if it were nothing.
  await write(3_000)
  const [row] = await currentSnapshot(sql, orgId)
  const from = new Date()
  const day = `changes_${from.toISOString().slice(0, 10).replaceAll('-', '')}`
  for (const mode of ['custom', 'generic'] as const) {
    const position = { base: row!.now, from } as Parameters<typeof newsSince>[2]
    const read = await readOf(single, newsSince(single.sql, orgId, position, 2_000), mode, day)
    assert.deepEqual([read.rows, read.indexRows], [0, 0], read.plan)
    assert.deepEqual(read.indexes, [`${day}_org_id_xid_seq_idx`])
  }
})
