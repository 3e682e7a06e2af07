// Fixtures of delivery tests: receivers, organizations that subscribe with them, and due deliveries of one organization.
import assert from 'node:assert/strict'
import type { Deliverer } from '../deliveries/deliver.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { type LaneKey, lanesOf } from '../wakeups/lanes.ts'
import { deliveriesDue } from '../webhooks/due.ts'
import {
  makeAgent,
  makeCalendar,
  makeHold,
  makeOrganization,
  makeWebhook,
  type OrganizationOptions,
  type TestOrganization,
} from './factories.ts'
import { openProcess } from './process.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { perFile, serviceTest } from './test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
export type Looked = any

/** The events of a hold that ends another one. */
export const holdEvents = ['event.hold_expired', 'event.hold_created']

/** A promise, and the function that fulfils it. */
export function openGate() {
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

export const deliveryTest = () =>
  serviceTest()
    .extend('newReceiver', perFile, ({ options: _ }, { onCleanup }) => {
      const receivers: Receiver[] = []
      onCleanup(async () => {
        for (const receiver of receivers) await receiver.close()
      })
      return async (answer: Receiver['answer'] = () => 200): Promise<Receiver> => {
        const receiver = await openReceiver()
        receiver.answer = answer
        receivers.push(receiver)
        return receiver
      }
    })
    /** A process that cannot reach Redis. */
    .extend('withoutRedis', perFile, async ({ service }, { onCleanup }) => {
      const process = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
      onCleanup(process.close)
      return process
    })
    .extend('desk', perFile, ({ service, call }) => {
      const readWebhook = async (key: string, id: string): Promise<Looked> =>
        (await call('GET', `/v1/webhooks/${id}`, { key })).body
      const patchWebhook = (key: string, id: string, body: object) => call('PATCH', `/v1/webhooks/${id}`, { key, body })
      const removeWebhook = (key: string, id: string) => call('DELETE', `/v1/webhooks/${id}`, { key })
      const history = async (key: string, id: string): Promise<Looked> =>
        (await call('GET', `/v1/webhooks/${id}/deliveries?limit=100`, { key })).body
      async function onlyDelivery(key: string, id: string): Promise<Looked> {
        const { data } = await history(key, id)
        assert.equal(data.length, 1)
        return data[0]
      }
      type Subscribing = OrganizationOptions & { events?: string[] }
      /** An organization with one webhook, which hears of new agents unless other events are given. */
      async function subscribe(receiver: Receiver, { events = ['agent.created'], ...options }: Subscribing = {}) {
        const organization = await makeOrganization(service, options)
        const webhook = await makeWebhook(service, organization.key, receiver.url, events)
        return { ...organization, webhook }
      }
      /** A hold, and one of higher priority over it: two events of one change, the first about `lost`. */
      async function preempt(key: string) {
        const calendar = await makeCalendar(service, key)
        const lost = await makeHold(service, key, calendar.id)
        const won = await makeHold(service, key, calendar.id, { hold_priority: 5 })
        return { lost, won }
      }
      async function makeAgents(key: string, count: number) {
        for (let index = 0; index < count; index++) await makeAgent(service, key, { name: `Agent ${index}` })
      }
      const orgOf = ({ id }: Pick<TestOrganization, 'id'>) => decodeId('org', id)!
      /** The subscriptions of one organization that have something due now. */
      async function dueLanes(organization: Pick<TestOrganization, 'id'>): Promise<LaneKey[]> {
        const wakeups = await deliveriesDue.due(service.app, service.clock.now())
        const lanes = wakeups.flatMap((wakeup) => (wakeup.name === 'deliver' ? lanesOf(wakeup.payload) : []))
        return lanes.filter(({ orgId }) => orgId === orgOf(organization))
      }
      /** The due deliveries of one organization, in the order of its changes. */
      const dueIds = async (organization: Pick<TestOrganization, 'id'>): Promise<Uuid[]> =>
        (
          await service.app.sql<{ id: Uuid }[]>`
            select id from webhook_deliveries
            where org_id = ${orgOf(organization)} and status = 'pending' and next_retry_at <= app_now()
            order by change_id, position`
        ).map(({ id }) => id)
      /** Attempts what is due now for one organization, and what that makes due, by these workers in turn. */
      async function serve(organization: Pick<TestOrganization, 'id'>, ...workers: Deliverer[]) {
        const lanes = await dueLanes(organization)
        for (const [nth, lane] of lanes.entries()) workers[nth % workers.length]!.wake([lane])
        await Promise.all(workers.map((worker) => worker.settle()))
      }
      return {
        readWebhook,
        patchWebhook,
        removeWebhook,
        history,
        onlyDelivery,
        subscribe,
        preempt,
        makeAgents,
        dueLanes,
        dueIds,
        serve,
      }
    })
