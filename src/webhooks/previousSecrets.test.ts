// How much the purge of previous secrets reads beside many webhooks.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeWebhook } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { forgetPreviousSecrets } from './writes.ts'

const count = 2_000

const test = serviceTest().extend('app', perFile, async ({ service, organization }, { onCleanup }) => {
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  await makeWebhook(service, organization.key, 'https://example.com/hook', ['agent.created'])
  await app.sql`
    insert into webhook_subscriptions
    select (jsonb_populate_record(null::webhook_subscriptions, to_jsonb(w) || jsonb_build_object('id', uuidv7()))).*
    from webhook_subscriptions w, generate_series(1, ${count}::integer)
    where w.org_id = ${decodeId('org', organization.id)!}`
  await vacuum(app.sql, 'webhook_subscriptions')
  return app
})

for (const mode of ['custom', 'generic'] as const) {
  test(`webhooks without a previous secret are not read (${mode} plan)`, async ({ app }) => {
    const read = await readOf(app, forgetPreviousSecrets(app.sql, testStart), mode, 'webhook_subscriptions')
    assert.equal(read.rows, 0, read.plan)
    assert.ok(read.indexes.includes('webhook_subscriptions_overlap'), read.plan)
  })
}
