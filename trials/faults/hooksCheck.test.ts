import assert from 'node:assert/strict'
import { test } from 'vitest'
import { signature } from '../../src/webhooks/signature.ts'
import type { Arrival } from './arrivals.ts'
import { openFindings } from './findings.ts'
import { judgeHooks } from './hooksCheck.ts'
import { type HookLedger, openLedger } from './ledger.ts'
import type { DeliveryFact } from './snapshot.ts'

const orgId = 'org_one'
const webhookId = 'whk_one'
const id = 'whd_one'
const seconds = (count: number) => 1_800_000_000_000 + count * 1_000
const sign = (secret: string) => signature(secret, '1', '{}')
const arrival = (at: number, first: string, next?: string): Arrival => ({
  ...{ deliveryId: id, orgId, at: seconds(at), body: '{}', order: 0 },
  signed: { timestamp: '1', first: sign(first), next: next && sign(next) },
})

function found(arrivals: Arrival[], more: Partial<HookLedger> = {}) {
  const all = ['old', 'new'].map((secret, nth) => ({ secret, knownAt: seconds(100 * nth) }))
  const secrets: HookLedger['secrets'] = new Map([[orgId, { all, isChanging: false }]])
  const ledger = { ...openLedger().hooks, secrets, ...more }
  const delivery = { id, subscriptionId: webhookId, createdAt: new Date(seconds(0)) } as DeliveryFact
  const findings = openFindings()
  judgeHooks({ deliveries: [delivery], arrivals: new Map([[id, arrivals]]), ledger }, findings)
  return findings.all.map(({ text }) => text)
}

test('a delivery carries the secrets of its time', () => {
  assert.deepEqual(
    found([arrival(50, 'old'), arrival(105, 'old'), arrival(150, 'old', 'new'), arrival(150, 'new')]),
    [],
  )
  assert.deepEqual(found([arrival(50, 'other')]), [`${id} is signed by no secret of ${orgId}`])
  assert.deepEqual(found([arrival(150, 'old', 'old')]), [`${id} is not signed by a newer secret`])
  assert.deepEqual(found([arrival(150, 'old')]), [`${id} is signed by an old secret alone`])
})

test('what was to be sent again and did not come is found', () => {
  const resent = new Map([[id, seconds(60)]])
  assert.deepEqual(found([arrival(0, 'old'), arrival(61, 'old')], { resent }), [])
  assert.deepEqual(found([arrival(0, 'old')], { resent }), [`${id} was to be sent again and never came`])
})

test('a replay whose deliveries did not come is found', () => {
  const replays = [{ webhookId, from: seconds(-2), to: seconds(2), matched: 1, askedAt: seconds(14) }]
  assert.deepEqual(found([arrival(0, 'old'), arrival(15, 'old')], { replays }), [])
  assert.match(found([arrival(0, 'old')], { replays })[0]!, /: 0 came, not 1$/)
})
