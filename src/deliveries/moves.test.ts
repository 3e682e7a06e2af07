// A delivery that ends moves to another part of the table. A statement that waited for it ends with a conflict, and is repeated.
import assert from 'node:assert/strict'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { deliveryTest } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { whileOpen } from '../testing/locks.ts'
import { claimTogether } from './claims.ts'
import { takeLanes } from './lanes.ts'

const test = deliveryTest()

/** Runs `work` while a result of the delivery is not committed yet. */
const whileItEnds = <T>({ app }: TestService, id: Uuid, work: () => Promise<T>): Promise<T> =>
  whileOpen(app.sql, {
    change: (sql) => sql`
      update webhook_deliveries
      set status = 'delivered', attempts = 1, last_attempt_at = now(), next_retry_at = null
      where id = ${id} and status = 'pending'`,
    work,
  })

test('a claim that waits for a result claims nothing of it', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes, dueIds },
}) => {
  const organization = await subscribe(await newReceiver())
  await makeAgent(service, organization.key)
  const [lanes, [id]] = [await dueLanes(organization), await dueIds(organization)]
  const owner = newId()
  await takeLanes(service.app.sql, owner, lanes)
  const asks = lanes.map((lane) => ({ ...lane, room: 10, since: new Date(0) }))
  const claimed = await whileItEnds(service, id!, () => claimTogether(service.app, owner, asks))
  assert.deepEqual([...claimed.values()], [{ rows: [], hasMore: false }])
})

test('a delivery that is sent again while its result is written is sent again after it', async ({
  service,
  newReceiver,
  desk: { subscribe, dueIds, onlyDelivery },
}) => {
  const receiver = await newReceiver()
  const organization = await subscribe(receiver)
  const { key, webhook } = organization
  await makeAgent(service, key)
  const [id] = await dueIds(organization)
  await service.app.sql`
    insert into webhook_delivery_counts (org_id, subscription_id, delivered)
    select org_id, subscription_id, 1 from webhook_deliveries where id = ${id!}`
  const path = `/v1/webhooks/${webhook.id}/deliveries/${encodeId('whd', id!)}/resend`
  const { status, body } = await whileItEnds(service, id!, () => service.call('POST', path, { key }))
  assert.deepEqual([status, body.status, body.attempts], [202, 'pending', 1])
  await service.drain()
  const { status: ended, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([ended, attempts, receiver.received.length], ['delivered', 2, 1])
})
