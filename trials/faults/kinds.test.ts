// The kinds of load on a real service: what they did is right, and what is taken from it is found.
import assert from 'node:assert/strict'
import postgres from 'postgres'
import { adminToken } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { judgeEnding, openAccess } from './access.ts'
import { openApprovals } from './approvals.ts'
import { openClient } from './client.ts'
import { openDetails } from './details.ts'
import { openFindings } from './findings.ts'
import { openGroups } from './groups.ts'
import { openHours } from './hours.ts'
import { openOwners } from './identity.ts'
import type { Kind, Site } from './kind.ts'
import { openSeries } from './series.ts'
import { readSnapshot } from './snapshot.ts'
import { makeTenants } from './tenants.ts'

const test = serviceTest()
  .extend('sql', perFile, async ({ service }, { onCleanup }) => {
    const sql = postgres(service.app.config.databaseUrl, { max: 1, fetch_types: false, prepare: false })
    onCleanup(() => sql.end())
    return sql
  })
  .extend('site', perFile, async ({ service, sql }): Promise<Site> => {
    await service.clock.set(new Date())
    const client = openClient([service.baseUrl], openOwners())
    const tenants = await makeTenants({ client, adminToken, hookUrl: 'http://127.0.0.1:9/hook' }, 2)
    return { client, tenants, withSql: (work) => work(sql) }
  })
  .extend('judged', perFile, ({ service, sql }) => async (kind: Kind): Promise<string[]> => {
    const findings = openFindings()
    await kind.judge(findings, await readSnapshot(sql, service.app.sealer))
    return findings.all.map((finding) => `${finding.kind}: ${finding.text}`)
  })

const maxTries = 20

const tellSome = async (kind: Kind, { tenants }: Site) => {
  for (let nth = 0; nth < 5; nth++) await kind.tell(tenants[0]!)
}

type Broken = { open(site: Site): Kind; breaks(sql: postgres.Sql): Promise<unknown>; found: RegExp }

const kinds: Record<string, Broken> = {
  series: {
    open: openSeries,
    breaks: (sql) =>
      sql`update events set recurrence_exdates = recurrence_exdates || start_time where recurrence_rule is not null`,
    found: /^(lost|half): the series /,
  },
  groups: {
    open: openGroups,
    breaks: (sql) => sql`
      update events set status = 'cancelled'
      where ctid in (select min(ctid) from events where hold_group_id is not null and status in ('hold', 'confirmed')
        group by hold_group_id)`,
    found: /^half: hgr_\w+ is (held|confirmed)/,
  },
  approvals: {
    open: openApprovals,
    breaks: (sql) => sql`update approvals set status = case status when 'approved' then 'rejected' else 'approved' end`,
    found: /^(twice|lost): apr_\w+ is (rejected|approved) and made/,
  },
  details: {
    open: openDetails,
    breaks: (sql) =>
      sql`update events set details_sealed = null, label_keys = null, transparent = false where status <> 'hold'`,
    found: /^lost: evt_\w+ has /,
  },
  hours: {
    open: openHours,
    breaks: (sql) => sql`delete from events where calendar_id in (select calendar_id from availability_rules)`,
    found: /^lost: \S+ of cal_\w+ has 0 meetings/,
  },
}

for (const [name, { open, breaks, found }] of Object.entries(kinds)) {
  test(`${name}: what was done is right, and what is broken is found`, async ({ site, sql, judged }) => {
    const kind = open(site)
    await tellSome(kind, site)
    assert.deepEqual(await judged(kind), [])
    // Chance says what is told: now and then there is nothing to break.
    let all: string[] = []
    const isFound = () => all.some((one) => found.test(one))
    for (let tries = 0; tries < maxTries && !isFound(); tries++) {
      await tellSome(kind, site)
      await breaks(sql)
      all = await judged(kind)
    }
    assert.ok(isFound(), all.join('\n'))
  })
}

test('access: nothing is answered after its end, and nothing is refused before', async ({ site, judged }) => {
  const kind = openAccess(site)
  await tellSome(kind, site)
  assert.deepEqual(await judged(kind), [])
  const seen = [
    { at: 0, until: 5, status: 200 },
    { at: 8, until: 9, status: 401 },
    { at: 15, until: 30, status: 200 },
    { at: 21, until: 22, status: 0 },
    { at: 22, until: 23, status: 404 },
    { at: 24, until: 25, status: 200 },
  ]
  assert.deepEqual(judgeEnding({ who: 'the key', first: 10, last: 20, seen }), [
    'the key: 200 for a request 4 ms after its end was answered',
    'the key: 401 for a request 1 ms before it was ended',
  ])
})
