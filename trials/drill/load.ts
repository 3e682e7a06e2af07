// What the service has to do in the drill: calls, moments that come due, webhooks. Steady, whatever becomes of them.
import type { Caller } from '../../src/testing/http.ts'

export type Load = { stop(): Promise<void> }

type LoadPlace = { call: Caller; key: string; calendarIds: readonly string[] }

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Starts in two seconds, ends in three. */
const soon = () => ({ title: 'Drill', start_time: inMs(2_000), end_time: inMs(3_000), reminders: [] })

/** Each story makes an event and reads its calendar. */
export function startLoad({ call, key, calendarIds }: LoadPlace, storiesPerSecond: number): Load {
  const underWay = new Set<Promise<unknown>>()
  let nth = 0
  const timer = setInterval(() => {
    const path = `/v1/calendars/${calendarIds[nth++ % calendarIds.length]}/events`
    const story = Promise.allSettled([
      call('POST', path, { key, body: soon() }),
      call('GET', `${path}?limit=5`, { key }),
    ]).finally(() => underWay.delete(story))
    underWay.add(story)
  }, 1000 / storiesPerSecond)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}
