import assert from 'node:assert/strict'
import { test } from 'vitest'
import { rotate } from './hooks.ts'
import { openLedger } from './ledger.ts'
import type { Tenant } from './tenants.ts'

/** The known secrets after a rotation with these answers. */
async function known(...statuses: number[]) {
  const { hooks } = openLedger()
  const secrets = { all: [{ secret: 'old', knownAt: 0 }], isChanging: false }
  hooks.secrets.set('org_one', secrets)
  const call = async () => ({ status: statuses.shift()!, body: { secret: 'new' } })
  const api = { call } as unknown as Tenant['api']
  await rotate({ api, orgId: 'org_one', webhookId: 'whk_one' }, hooks, 0)
  assert.deepEqual(statuses, [])
  return { count: secrets.all.length, isChanging: secrets.isChanging }
}

test('a refusal leaves the secret as it was, unless the answer to an earlier try was lost', async () => {
  assert.deepEqual(await known(200), { count: 2, isChanging: false })
  assert.deepEqual(await known(409), { count: 1, isChanging: false })
  assert.deepEqual(await known(429, 408, 409), { count: 1, isChanging: false })
  assert.deepEqual(await known(0, 409), { count: 1, isChanging: true })
  assert.deepEqual(await known(503, 408, 200), { count: 2, isChanging: false })
})
