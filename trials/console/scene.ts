// A person with 20 calendars: 200 events in this week on all of them, and 2,000 in the next one on the first five.
import { dayMs, hourMs, minuteMs } from '../../src/shapes/durations.ts'
import { callOf, made } from '../world/client.ts'
import type { Installation } from '../world/installation.ts'

const calendars = 20
const crowded = 5
export const few = 200
export const many = 2_000
const together = 10

export type Scene = {
  baseUrl: string
  cookie: { name: string; value: string; url: string }
  /** The first days and the calendars of the two weeks, as the address has them. */
  weeks: readonly [string, string]
}

export async function makeScene({ baseUrls, adminToken }: Installation): Promise<Scene> {
  const [baseUrl] = baseUrls
  const call = callOf(baseUrl)
  const { version } = await made(call('GET', '/v1/auth/terms/current'))
  const account = { email: 'week@example.com', password: 'correct horse battery', tos_version: version }
  const { token: key, org } = await made(call('POST', '/v1/auth/signup', { body: account }))
  const plan = { plan: 'custom', rate_limit_per_second: 1_000_000 }
  await made(call('PATCH', `/v1/admin/orgs/${org.id}`, { key: adminToken, body: plan }))
  const ids: string[] = []
  for (let nth = 1; nth <= calendars; nth++) {
    const body = { name: `Calendar ${nth}`, timezone: 'UTC' }
    ids.push((await made(call('POST', '/v1/calendars', { key, body }))).id)
  }
  const thisWeek = mondayBefore(Date.now())
  const events = [...week(few, thisWeek, ids), ...week(many, thisWeek + 7 * dayMs, ids.slice(0, crowded))]
  for (let from = 0; from < events.length; from += together) {
    const some = events.slice(from, from + together)
    await Promise.all(
      some.map(({ calendar, ...body }) => made(call('POST', `/v1/calendars/${calendar}/events`, { key, body }))),
    )
  }
  const cookie = { name: 'svc_session', value: key, url: baseUrl }
  const shown = (ms: number, some: readonly string[]) => `view=week&date=${dateOf(ms)}&cal=${some.join(',')}`
  return { baseUrl, cookie, weeks: [shown(thisWeek, ids), shown(thisWeek + 7 * dayMs, ids.slice(0, crowded))] }
}

const mondayBefore = (now: number) => {
  const today = Math.floor(now / dayMs)
  return (today - ((today + 3) % 7)) * dayMs
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Half an hour each, between 7 and 19 o'clock on all days. */
const week = (count: number, fromMs: number, ids: readonly string[]) =>
  Array.from({ length: count }, (_, nth) => {
    const startMs = fromMs + (nth % 7) * dayMs + 7 * hourMs + ((nth * 15) % 720) * minuteMs
    return {
      calendar: ids[nth % ids.length]!,
      title: `Event ${nth + 1}`,
      start_time: new Date(startMs).toISOString(),
      end_time: new Date(startMs + 30 * minuteMs).toISOString(),
    }
  })
