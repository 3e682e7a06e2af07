import assert from 'node:assert/strict'
import { encodeId, newId } from '../../src/shapes/ids.ts'
import { commandTest, refusal } from '../../src/testing/commands.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { perFile } from '../../src/testing/test.ts'

const test = commandTest()
  .extend('subscribe', perFile, ({ service, receiver }) => async (key: string) => {
    const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
    await makeAgent(service, key)
    const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { key })
    return { webhook, deliveryId: body.data[0].id as string }
  })
  .extend(
    'stats',
    perFile,
    ({ call }) =>
      async (key: string, id: string) =>
        (await call('GET', `/v1/webhooks/${id}/deliveries`, { key })).body.stats,
  )

test('a delivery is shown, and sent again whether it failed or arrived', async ({
  service,
  receiver,
  run,
  subscribe,
  stats,
}) => {
  const { key, id } = await makeOrganization(service, { plan: 'free' })
  const { webhook, deliveryId } = await subscribe(key)
  receiver.answer = () => 500
  for (const minutes of [0, 1, 5, 30]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  const failed = await run('deliveries show', [deliveryId])
  assert.deepEqual(
    [failed.json.org_id, failed.json.status, failed.json.attempts, failed.json.webhook.consecutive_failures],
    [id, 'failed', 4, 4],
  )
  assert.equal(failed.json.webhook.url, receiver.url)
  assert.equal('payload' in failed.json, false)
  assert.equal((await run('deliveries show', [deliveryId], { payload: true })).json.payload.agent.name, 'Agent')
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 0, failed: 1 })

  const again = await run('deliveries send', [deliveryId])
  assert.equal(again.json.status, 'pending')
  assert.deepEqual(await stats(key, webhook.id), { pending: 1, delivered: 0, failed: 0 })
  receiver.answer = () => 204
  const sentBefore = receiver.received.length
  await service.drain()
  assert.equal(receiver.received.length, sentBefore + 1)
  assert.equal(receiver.received.at(-1)!.headers['x-delivery-id'], deliveryId)
  assert.equal(receiver.received.at(-1)!.raw, receiver.received.at(-2)!.raw)
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 1, failed: 0 })

  await run('deliveries send', [deliveryId])
  await service.drain()
  assert.equal(receiver.received.length, sentBefore + 2)
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 1, failed: 0 })
})

test('a delivery that waits for its retry is sent on command, also right after it failed', async ({
  service,
  receiver,
  run,
  subscribe,
  stats,
}) => {
  const { key } = await makeOrganization(service)
  const { webhook, deliveryId } = await subscribe(key)
  receiver.answer = () => 500
  await service.drain()
  receiver.answer = () => 204
  await run('deliveries send', [deliveryId])
  await service.drain()
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 1, failed: 0 })
})

test('many commands at once send a delivery again once; while an attempt is under way none does', async ({
  service,
  receiver,
  run,
  subscribe,
  stats,
}) => {
  const { key } = await makeOrganization(service)
  const { webhook, deliveryId } = await subscribe(key)
  receiver.answer = () => 204
  await service.drain()
  const sends = await Promise.allSettled(Array.from({ length: 8 }, () => run('deliveries send', [deliveryId])))
  assert.ok(sends.some(({ status }) => status === 'fulfilled'))
  assert.deepEqual(await stats(key, webhook.id), { pending: 1, delivered: 0, failed: 0 })
  await service.app.sql`
    update webhook_deliveries set last_attempt_at = app_now(), next_retry_at = app_now() + interval '10 seconds'
    where status = 'pending'`
  await assert.rejects(run('deliveries send', [deliveryId]), refusal(/An attempt is under way/))
})

test('nothing is sent for a webhook that is removed or switched off', async ({ service, run, subscribe }) => {
  const { key } = await makeOrganization(service)
  const { webhook, deliveryId } = await subscribe(key)
  await service.call('PATCH', `/v1/webhooks/${webhook.id}`, { key, body: { active: false } })
  await assert.rejects(run('deliveries send', [deliveryId]), refusal(/not active/))
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  await assert.rejects(run('deliveries send', [deliveryId]), refusal(/has been removed/))
  await assert.rejects(run('deliveries send', [encodeId('whd', newId())]), refusal(/No such delivery/))
  await assert.rejects(run('deliveries show', ['whd_x']), refusal(/No such delivery/))
})
