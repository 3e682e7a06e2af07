// The receiver of the fault test: keeps which delivery came when, and to which organization: the path ends in it.
import { setTimeout as pause } from 'node:timers/promises'
import { openReceiver as openTestReceiver } from '../../src/testing/receiver.ts'

export type Arrival = { deliveryId: string; orgId: string; at: number; body: string; order: number }

export type Receiver = {
  url: string
  /** Answers late, just inside the deadline of a delivery, and keeps nothing. */
  slowUrl: string
  /** By delivery id, in the order of arrival; more than one is a repetition. */
  arrivals: Map<string, Arrival[]>
  close(): Promise<void>
}

const slowMs = 9_000

export async function openReceiver(): Promise<Receiver> {
  const arrivals: Receiver['arrivals'] = new Map()
  let order = 0
  const receiver = await openTestReceiver()
  receiver.answer = async ({ path, deliveryId, raw }) => {
    // A run brings tens of thousands: only what is judged is kept.
    receiver.received.length = 0
    if (path.startsWith('/slow')) {
      await pause(slowMs)
      return 200
    }
    const arrival = { deliveryId, orgId: path.split('/').at(-1)!, at: Date.now(), body: raw, order: order++ }
    const known = arrivals.get(deliveryId)
    if (known) known.push(arrival)
    else arrivals.set(deliveryId, [arrival])
    return 204
  }
  return { url: receiver.url, slowUrl: new URL('/slow', receiver.url).href, arrivals, close: receiver.close }
}
