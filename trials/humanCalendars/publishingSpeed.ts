// Goal 5: how long a committed event takes to its provider.
import type { ProviderName } from '../../src/providers/rules.ts'
import { percentile } from '../world/report.ts'
import { startSteadily } from '../world/steadily.ts'
import { type Desk, openDesk } from './desk.ts'
import { type Goal, type Size, say, seconds, until } from './goal.ts'
import { quickly, type Site } from './site.ts'
import { type Asked, isWrite } from './traffic.ts'

const perSecond = 50
const forMs = 20_000
const dayMs = 86_400_000

type Place = { desk: Desk; calendarId: string; provider: ProviderName }

export const publishingSpeed: Goal = {
  nth: 5,
  what: 'committed event → at the provider, 50/s over 100 calendars',
  goal: 'p50 ≤ 1 s, p99 ≤ 5 s',
  rules: [
    {
      what: 'the change of an event wakes a worker',
      cuts: [
        { file: 'src/externalCopies/publish.ts', from: '  ringing(\n', instead: '  effect(\n' },
        { file: 'src/externalCopies/publish.ts', from: '{ type Effect, ringing }', instead: '{ type Effect, effect }' },
      ],
    },
  ],
  async run(site, size) {
    const places = await quickly(site, () => openPlaces(site, size))
    say(`${places.length} calendars are published; making ${perSecond} events a second for ${seconds(forMs)}`)
    const committed = new Map<string, number>()
    const arrived = arrivalsOf(site)
    let nth = 0
    const make = async () => {
      const own = ++nth
      const { desk, calendarId } = places[own % places.length]!
      const start = new Date(site.clock.now() + dayMs + own * 1_000)
      const times = { start_time: start.toISOString(), end_time: new Date(start.getTime() + 600_000).toISOString() }
      const title = `speed-${own}`
      await desk.ask('POST', `/v1/calendars/${calendarId}/events`, { title, ...times })
      committed.set(title, Date.now())
    }
    const load = startSteadily(size.of(perSecond), [make])
    await new Promise((resolve) => setTimeout(resolve, forMs))
    await load.stop()
    await until('every event is at its provider', 120_000, async () => committed.size === arrived.size)
    const lags = [...committed].map(([title, at]) => Math.max(0, arrived.get(title)! - at))
    const [p50, p99] = [percentile(lags, 0.5), percentile(lags, 0.99)]
    return {
      isMet: p50 <= 1_000 && p99 <= 5_000,
      figures: `p50 ${seconds(p50)}, p99 ${seconds(p99)} of ${lags.length} events`,
    }
  },
}

/** When each was answered for the first time, by its title. */
function arrivalsOf(site: Site): Map<string, number> {
  const arrived = new Map<string, number>()
  site.traffic.fate = (asked: Asked) => {
    const title = /speed-\d+/.exec(asked.body)?.[0]
    if (title && isWrite(asked) && !arrived.has(title)) arrived.set(title, asked.at + site.traffic.answerMs)
    return 'pass'
  }
  return arrived
}

/** 88 calendars of Google and 8 of CalDAV, each of a human, and 4 of one human at Microsoft, in four organizations. */
async function openPlaces(site: Site, size: Size): Promise<Place[]> {
  const places: Place[] = []
  for (let nth = 0; nth < 4; nth++) {
    const desk = await openDesk(site)
    const kinds: [ProviderName, number][] = [
      ...Array.from({ length: size.of(22) }, (): [ProviderName, number] => ['google', 1]),
      ...Array.from({ length: size.of(2) }, (): [ProviderName, number] => ['caldav', 1]),
      ...(nth === 0 ? [['microsoft', 4] as [ProviderName, number]] : []),
    ]
    for (const [provider, count] of kinds) {
      const account = await desk.connect(provider, ['publishing'], count)
      for (const { id } of account.calendars) {
        const { calendarId } = await desk.makeAgent()
        await desk.publish(calendarId, id)
        places.push({ desk, calendarId, provider })
      }
    }
  }
  return places
}
