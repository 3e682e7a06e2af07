// Channels of Microsoft: subscriptions, which it validates at our address before it makes them. They end after three days at
// most, and their lifecycle messages come to the same address.
import { z } from 'zod'
import { minuteMs } from '../shapes/durations.ts'
import { type Graph, outcomeOf } from './graph.ts'
import type { NewChannel, Provider } from './provider.ts'

/** Microsoft takes 4,230 minutes; its clock need not be ours. */
const maxMs = 4_230 * minuteMs - minuteMs

const subscription = z.object({ id: z.string().min(1), expirationDateTime: z.string() })

type Watched = Awaited<ReturnType<NonNullable<Provider['watch']>>>
type Stopped = Awaited<ReturnType<NonNullable<Provider['stop']>>>

export async function watchCalendar(
  graph: Graph,
  { remote, id, secret, pushUrl, now, until }: NewChannel,
): Promise<Watched> {
  const expiresAt = new Date(Math.min(until.getTime(), now.getTime() + maxMs))
  const address = `${pushUrl}/${id}`
  const body = {
    changeType: 'created,updated,deleted',
    resource: `me/calendars/${remote}/events`,
    notificationUrl: address,
    lifecycleNotificationUrl: address,
    clientState: secret,
    expirationDateTime: expiresAt.toISOString(),
  }
  const answer = await graph.send({ method: 'POST', path: '/subscriptions', body }, subscription)
  if (answer.kind === 'status' && (answer.status === 403 || answer.status === 404)) {
    return { kind: 'rejected', message: 'Microsoft sends no notifications for this calendar.' }
  }
  if (answer.kind !== 'ok') return outcomeOf(answer)
  const expiresMs = Date.parse(answer.body.expirationDateTime)
  return {
    kind: 'watching',
    resource: answer.body.id,
    expiresAt: Number.isNaN(expiresMs) ? expiresAt : new Date(expiresMs),
  }
}

export async function stopWatching(graph: Graph, { resource }: { resource: string }): Promise<Stopped> {
  const path = `/subscriptions/${encodeURIComponent(resource)}`
  const answer = await graph.send({ method: 'DELETE', path }, z.unknown())
  const isGone = answer.kind === 'status' && (answer.status === 404 || answer.status === 410)
  return answer.kind === 'ok' || isGone ? { kind: 'stopped' } : outcomeOf(answer)
}
