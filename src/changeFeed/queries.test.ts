// The cost of a poll for an organization with many entries.
import assert from 'node:assert/strict'
import type { Uuid } from '../shapes/ids.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent, makeOrganization } from '../testing/factories.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { serviceTest } from '../testing/test.ts'
import { currentSnapshot, newsSince, walkBatch } from './queries.ts'
import { beforeAll } from './snapshot.ts'

const test = serviceTest().extend('single', async ({ service }, { onCleanup }) => {
  const app = openSingleConnection(service)
  onCleanup(() => app.sql.end())
  return app
})

const dayOf = (date: Date) => `changes_${date.toISOString().slice(0, 10).replaceAll('-', '')}`

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
  // To Postgres rows after the statistics look like no rows.
  await write(3_000)
  const [row] = await currentSnapshot(sql, orgId)
  const from = new Date()
  const day = dayOf(from)
  for (const mode of ['custom', 'generic'] as const) {
    const position = { base: row!.now, from } as Parameters<typeof newsSince>[2]
    const read = await readOf(single, newsSince(single.sql, orgId, position, 2_000), mode, day)
    assert.deepEqual([read.rows, read.indexRows], [0, 0], read.plan)
    assert.deepEqual(read.indexes, [`${day}_org_id_xid_seq_idx`])
  }
})

test('a page reads its own length, however much waits behind it and however Postgres plans it', async ({
  service,
  single,
}) => {
  const { id, key } = await makeOrganization(service)
  await makeAgent(service, key)
  const orgId = decodeId('org', id)!
  const { sql } = service.app
  const write = (organizations: number, entries: number) => sql`
    insert into changes (org_id, seq, change_id, position, type, agent_id, resource_id, cause, payload_sealed, created_at)
    select coalesce(other, org_id), nextval('changes_seq'), uuidv7(), 0, type, agent_id, resource_id, cause, payload_sealed, created_at
    from (select * from changes where org_id = ${orgId} limit 1) first,
      (select case when n > 0 then gen_random_uuid() end as other from generate_series(0, ${organizations}) n) others,
      generate_series(1, ${entries})`
  await write(0, 20_000)
  // A plan for anybody counts on few entries of an organization.
  await write(40, 10)
  await sql`vacuum analyze changes`
  const [now] = await currentSnapshot(sql, orgId)
  const places = await sql<{ seq: number; changeId: Uuid }[]>`
    select seq, change_id from changes where org_id = ${orgId} order by seq, change_id`
  const day = new Date()
  const walk = (after: { seq: number; changeId: Uuid }) => {
    const batch = { target: now!.now, targetAt: day, after, lastSeq: places.at(-1)!.seq }
    const position = { database: '', base: beforeAll, baseAt: day, from: new Date(day.getTime() - 3_600_000), batch }
    return walkBatch(single.sql, orgId, {
      position,
      filter: {},
      withPayload: true,
      limit: 101,
      maxBytes: 1_000_000,
      maxRows: 2_000,
    })
  }
  for (const mode of ['custom', 'generic'] as const) {
    for (const after of [places[0]!, places[10_000]!]) {
      const rows = await walk(after)
      assert.deepEqual(
        rows.map(({ seq }) => seq),
        places
          .slice(places.indexOf(after) + 1)
          .slice(0, 101)
          .map(({ seq }) => seq),
      )
      const read = await readOf(single, walk(after), mode, dayOf(day))
      const { rows: whole, indexRows, pages } = read
      assert.ok(whole + indexRows < 2_110 && pages < 250, `${mode}: ${JSON.stringify({ whole, indexRows, pages })}`)
    }
  }
})
