// The receiver of the fault test: keeps which delivery came when, and to which organization: the path ends in it.
import { setTimeout as pause } from 'node:timers/promises'
import { openReceiver as openTestReceiver } from '../../src/testing/receiver.ts'

/** `next`: the second signature, while an old secret is still good. */
type Signed = { timestamp: string; first: string; next?: string }

export type Arrival = { deliveryId: string; orgId: string; at: number; body: string; order: number; signed: Signed }

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
  receiver.answer = async ({ path, deliveryId, raw, headers }) => {
    // A run brings tens of thousands: only the parts that are judged are kept.
    receiver.received.length = 0
    if (path.startsWith('/slow')) {
      await pause(slowMs)
      return 200
    }
    const text = (name: string) => headers[name]?.toString()
    const signed = { timestamp: text('x-timestamp')!, first: text('x-signature')!, next: text('x-signature-next') }
    const orgId = path.split('/').at(-1)!
    const arrival: Arrival = { deliveryId, orgId, at: Date.now(), body: raw, order: order++, signed }
    const known = arrivals.get(deliveryId)
    if (known) known.push(arrival)
    else arrivals.set(deliveryId, [arrival])
    return 204
  }
  return { url: receiver.url, slowUrl: new URL('/slow', receiver.url).href, arrivals, close: receiver.close }
}
