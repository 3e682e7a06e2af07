import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { hook, unknownWebhook, webhooksTest } from '../../src/testing/webhooks.ts'

const test = webhooksTest()

const doors = (id: string): [method: string, path: string, body?: object][] => [
  ['GET', `/v1/webhooks/${id}`],
  ['PATCH', `/v1/webhooks/${id}`, { active: false }],
  ['DELETE', `/v1/webhooks/${id}`],
  ['GET', `/v1/webhooks/${id}/deliveries`],
  ['POST', `/v1/webhooks/${id}/deliveries/${unknownWebhook.replace('whk_', 'whd_')}/resend`],
  ['POST', `/v1/webhooks/${id}/test`],
  ['POST', `/v1/webhooks/${id}/replay`, { from: '2026-03-02T08:00:00Z' }],
  ['GET', `/v1/webhooks/${id}/replays/${unknownWebhook.replace('whk_', 'rpl_')}`],
  ['POST', `/v1/webhooks/${id}/secret/rotate`],
  ['DELETE', `/v1/webhooks/${id}/secret/previous`],
  ['GET', `/v1/webhooks/${id}/health`],
]

test('an unknown, malformed or foreign identifier is 404', async ({ service, call }) => {
  const [{ key }, stranger] = [await makeOrganization(service), await makeOrganization(service)]
  const foreign = await makeWebhook(service, stranger.key, hook, ['event.created'])
  for (const id of [
    foreign.id,
    unknownWebhook,
    unknownWebhook.replace('whk_', 'evt_'),
    'whk_1',
    foreign.id.toUpperCase(),
    '%00',
  ]) {
    for (const [method, path, body] of doors(id)) {
      assertRefused(await call(method, path, { key, body }), 404, 'not_found')
    }
  }
  assert.equal((await call('GET', `/v1/webhooks/${foreign.id}`, { key: stranger.key })).body.active, true)
})

test('an agent key is refused at every endpoint, and a missing key is 401', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  const agentKey = await makeAgentKey(service, key, (await makeAgent(service, key)).id)
  const all = [...doors(id), ['GET', '/v1/webhooks'], ['POST', '/v1/webhooks', { url: hook, events: [] }]] as const
  for (const [method, path, body] of all) {
    assertRefused(await call(method, path, { key: agentKey, body }), 403, 'forbidden')
    assertRefused(await call(method, path, { body }), 401, 'authentication_error')
  }
})
