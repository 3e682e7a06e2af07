// Clients that change calendars, one request after the other, and repeat each with the same key until they have an answer.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { callOf } from '../world/client.ts'

type Call = ReturnType<typeof callOf>

const pauseMs = 50

/** The service is killed now and then: requests without an answer, or with 503, are repeated. */
export async function persist(ask: () => ReturnType<Call>, stopped: AbortSignal): ReturnType<Call> {
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer && answer.status < 500 && answer.status !== 429) return answer
    stopped.throwIfAborted()
    await pause(pauseMs)
  }
}

const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!

type Writing = {
  baseUrls: readonly string[]
  callOf(baseUrl: string): Call
  key: string
  calendarIds: readonly string[]
}

/** Until `isOver`. Returns the ids of the events that it made, in the order in which they were answered. */
export async function write(world: Writing, isOver: () => boolean, stopped: AbortSignal): Promise<string[]> {
  const { baseUrls, callOf, key, calendarIds } = world
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await persist(() => callOf(anyOf(baseUrls))(method, path, { key, body, headers }), stopped)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const events: string[] = []
  for (let n = 0; !isOver(); n++) {
    const start = new Date(Date.now() + 3_600_000)
    const times = { start_time: start.toISOString(), end_time: new Date(start.getTime() + 60_000).toISOString() }
    const { id } = await send('POST', `/v1/calendars/${anyOf(calendarIds)}/events`, { title: `Change ${n}`, ...times })
    events.push(id)
    if (n % 3 === 1) await send('PATCH', `/v1/events/${id}`, { title: `Changed ${n}` })
    if (n % 3 === 2) await send('DELETE', `/v1/events/${id}`)
  }
  return events
}

/** A reader's question, asked again until it is answered. */
export const askerOf =
  ({ baseUrls, callOf, key }: Writing, stopped: AbortSignal) =>
  (query: Record<string, string>) =>
    persist(() => callOf(anyOf(baseUrls))('GET', `/v1/changes?${new URLSearchParams(query)}`, { key }), stopped)
