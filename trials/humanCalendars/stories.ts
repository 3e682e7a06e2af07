// The work of agents with events while faults happen: they make them, move them, cancel them, and confirm holds.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { persist } from '../feed/writers.ts'
import { callOf } from '../world/client.ts'
import type { Desk } from './desk.ts'
import type { Site } from './site.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

type Place = { desk: Desk; calendarId: string; wanted: Map<string, number> }

/** Ends when the service has answered every request. `wanted` is then the expected copy. */
export async function tellStory(site: Site, { desk, calendarId, wanted }: Place, nth: number): Promise<void> {
  const never = new AbortController().signal
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'idempotency-key': randomUUID() }
    const ask = () => callOf(site.baseUrls[0])(method, path, { key: desk.key, headers, body })
    const { status, body: answer } = await persist(ask, never)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const title = `exact-${nth}`
  const timesAt = (startMs: number) => ({
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(startMs + 30 * minuteMs).toISOString(),
  })
  const first = Math.ceil(site.clock.now() / dayMs + 2) * dayMs + nth * 60 * minuteMs
  const kind = nth % 5
  const hold = { status: 'hold', hold_expires_at: new Date(site.clock.now() + 14 * minuteMs).toISOString() }
  const events = `/v1/calendars/${calendarId}/events`
  const { id } = await send('POST', events, { title, ...timesAt(first), ...(kind === 3 && hold) })
  if (kind === 1) await send('PATCH', `/v1/events/${id}`, timesAt(first + 15 * minuteMs))
  if (kind === 2) await send('DELETE', `/v1/events/${id}`)
  if (kind === 3) await send('PUT', `/v1/events/${id}/confirm`)
  if (kind === 4) {
    // Its copy is removed and written again, under another name.
    for (const status of ['tentative', 'confirmed']) {
      await pause(5_000)
      await send('PATCH', `/v1/events/${id}`, { status })
    }
  }
  if (kind !== 2) wanted.set(title, kind === 1 ? first + 15 * minuteMs : first)
}
