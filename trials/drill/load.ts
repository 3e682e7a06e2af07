// The work of the service in the drill: calls, moments that come due, webhooks.
import type { Caller } from '../../src/testing/http.ts'
import { type Load, startSteadily } from '../world/steadily.ts'

type LoadPlace = { call: Caller; key: string; calendarIds: readonly string[] }

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Starts in two seconds, ends in three. */
const soon = () => ({ title: 'Drill', start_time: inMs(2_000), end_time: inMs(3_000), reminders: [] })

/** Each story makes an event and reads its calendar; it never rejects. */
export function startLoad({ call, key, calendarIds }: LoadPlace, storiesPerSecond: number): Load {
  let nth = 0
  const story = () => {
    const path = `/v1/calendars/${calendarIds[nth++ % calendarIds.length]}/events`
    return Promise.allSettled([call('POST', path, { key, body: soon() }), call('GET', `${path}?limit=5`, { key })])
  }
  return startSteadily(storiesPerSecond, [story])
}
