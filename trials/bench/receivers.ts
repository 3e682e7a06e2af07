// The receivers of webhooks: one process, and an origin for each subscription.
import type { ReceiverOrder, ReceiverReply } from './processes/receiver.ts'
import type { World } from './world.ts'

export type Receivers = {
  urls: string[]
  /** Counts from 0 again. */
  reset(): Promise<unknown>
  /** Resolves once this many have arrived since the last reset. */
  arrived(count: number): Promise<ReceiverReply>
  stop(): Promise<void>
}

export async function openReceivers(world: World, count: number): Promise<Receivers> {
  const receiver = await world.start<ReceiverOrder, ReceiverReply>('trials/bench/processes/receiver.ts', {
    env: { PORTS: String(count) },
  })
  return {
    urls: receiver.ready.ports!.map((port) => `http://127.0.0.1:${port}/hook`),
    reset: () => receiver.ask('reset'),
    arrived: (until) => receiver.ask({ until }),
    stop: receiver.stop,
  }
}
