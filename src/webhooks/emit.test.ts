// The reads of a change that looks for its subscriptions: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { byItself } from '../changeLog/origin.ts'
import type { Effect } from '../commit/effect.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { makeWebhook } from '../testing/factories.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { emissionColumns, emissionOf, emit, emitEach, emitPerKey } from './emit.ts'
import { webhooksOf } from './queries.ts'
import { webhookCount } from './subscriptions.ts'

const living = 3
const removed = 5_000

const test = serviceTest()
  .extend('orgId', perFile, ({ organization }) => decodeId('org', organization.id)!)
  .extend('app', perFile, async ({ service, key, orgId }, { onCleanup }) => {
    const app = openSingleConnection(service)
    onCleanup(() => closeApp(app))
    for (let nth = 0; nth < living; nth++) {
      await makeWebhook(service, key, `http://127.0.0.1:9/${nth}`, ['event.deleted'])
    }
    await service.app.sql`
      insert into webhook_subscriptions (org_id, id, url_sealed, url_hash, secret_sealed, events, active, created_at, updated_at,
        deleted_at)
      select org_id, uuidv7(), url_sealed, url_hash, secret_sealed, events, false, created_at, updated_at, now()
      from (select * from webhook_subscriptions where org_id = ${orgId} limit 1) s, generate_series(1, ${removed}) n`
    await vacuum(service.app.sql, 'webhook_subscriptions')
    return app
  })

for (const mode of ['custom', 'generic'] as const) {
  test(`whom a change tells is found among the webhooks that are on, however many were removed (${mode} plan)`, async ({
    app,
    orgId,
  }) => {
    const { sql } = app
    const payload = { calendar_id: encodeId('cal', newId()), event_id: encodeId('evt', newId()) }
    const emission = { type: 'event.deleted' as const, payload }
    const keyed = Array.from({ length: 20 }, () => ({ ...emission, orgId, key: newId() }))
    const keys = keyed.map(({ key }) => key)
    const columns = { orgId: 'uuid', calendarId: 'uuid', id: 'uuid', plan: 'text', ...emissionColumns } as const
    const ids = { orgId, calendarId: newId(), id: newId() }
    const emissions = keyed.map(() => ({
      ...ids,
      plan: 'pro',
      ...emissionOf(app, byItself(orgId, 'timer'), emission),
    }))
    const ofCalendar = sql`1 as revision, null::uuid as agent_id`
    const statement = (guard: Fragment, [changes, deliveries]: Effect[]) =>
      sql`with guard as (${guard}), ${changes!} as (${changes!.body}) ${deliveries!.body}`
    const reads = [
      statement(sql`select ${ofCalendar}`, emit(app, byItself(orgId, 'timer'), [emission])),
      statement(sql`select unnest(${keys as never}::text[]) as key, ${ofCalendar}`, emitPerKey(app, 'timer', keyed)),
      statement(sql`select *, ${ofCalendar} from ${rowsOf(sql, emissions, columns, 'i')}`, emitEach(app)),
      webhooksOf(sql, orgId, { limit: 50, offset: 0 }),
      sql`select (${webhookCount(sql, orgId)}) as total`,
    ]
    for (const read of reads) {
      const { rows, indexRows, plan } = await readOf(app, read, mode, 'webhook_subscriptions')
      assert.ok(rows + indexRows <= living * keyed.length, `${rows} rows, ${indexRows} of the index\n${plan}`)
    }
  })
}
