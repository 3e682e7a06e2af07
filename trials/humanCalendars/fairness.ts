// Goal 7: how much one provider, one calendar and one organization may slow down all the others.
import { setTimeout as pause } from 'node:timers/promises'
import { openDesk } from './desk.ts'
import { type Goal, type Size, say, seconds, until } from './goal.ts'
import { isoOf, openHuman } from './human.ts'
import { measureReading, openWatched, untilWatched } from './readingSpeed.ts'
import { quickly, type Site } from './site.ts'

/** More than the workers have places. */
const hangingCount = 80
const intervalCount = 20_000
const largeCount = 50
/** From one calendar that changes to the next: another account each time. */
const stride = 51
const minuteMs = 60_000
const dayMs = 86_400_000

export const fairness: Goal = {
  nth: 7,
  what: 'a provider hangs, a calendar has 20,000 intervals, an organization 50 × 50 calendars: what 3 is for others',
  goal: 'their p99 at most doubles',
  rules: [
    {
      what: 'a provider and an organization hold a part of the places',
      cuts: [
        {
          file: 'src/externalCalendars/reader.ts',
          from: 'atProvider: total / 2, perOrganization: total / 4',
          instead: 'atProvider: total, perOrganization: total',
        },
      ],
    },
  ],
  async run(site, size) {
    const sources = await openWatched(site, size)
    const before = await measureReading(site, sources, size)
    say(`alone: p50 ${seconds(before.p50)}, p99 ${seconds(before.p99)}`)
    const { crowd, stop } = await disturb(site, size)
    try {
      const early = await measureReading(site, sources, size)
      say(`while channels are made: p50 ${seconds(early.p50)}, p99 ${seconds(early.p99)}`)
      await untilWatched(site, sources.length + crowd)
      const late = await measureReading(site, sources, size)
      return {
        isMet: [early, late].every(({ p99, hidden }) => p99 <= 2 * before.p99 && hidden === 0),
        figures:
          `p99 ${seconds(before.p99)} alone, ${seconds(early.p99)} while the channels of the large one are made, ` +
          `${seconds(late.p99)} once they live (p50 ${[before, early, late].map(({ p50 }) => seconds(p50)).join(', ')}); ` +
          `${early.hidden + late.hidden} hidden`,
      }
    } finally {
      await stop()
    }
  },
}

/** All three at once, and always something to read there: how many calendars the large organization has, and how to end it. */
async function disturb(site: Site, size: Size): Promise<{ crowd: number; stop: () => Promise<void> }> {
  const [large, crowd] = await quickly(site, async () => {
    for (let nth = 0; nth < hangingCount; nth++) await openHuman(site, 'microsoft')
    const large = await openHuman(site, 'google')
    fill(site, large.account.calendars[0]!.remote, size.of(intervalCount))
    const desk = await openDesk(site)
    const crowd: string[] = []
    for (let nth = 0; nth < size.of(largeCount); nth++) {
      const { account } = await openHuman(site, 'google', { desk, calendars: size.of(largeCount) })
      crowd.push(...account.calendars.map(({ remote }) => remote))
    }
    return [large.account.calendars[0]!.remote, crowd] as const
  })
  await until('the large calendar was read', 300_000, async () => {
    const [row] = await site.sql<{ count: number }[]>`select count(*)::integer as count from external_busy`
    return row!.count >= size.of(intervalCount)
  })
  say(
    `${hangingCount} accounts hang; ${size.of(intervalCount)} intervals; ${crowd.length} calendars of one organization`,
  )
  site.traffic.fate = ({ provider, path }) =>
    provider === 'microsoft' && path.includes('/calendarView') ? 'hang' : 'pass'
  let isOver = false
  let nth = 0
  const goingOn = (async () => {
    while (!isOver) {
      // A hanging account is due again as soon as its read has failed; everything of the large organization changes by and by.
      await site.sql`
        update calendar_connections set next_read_at = app_now(), held_until = null
        where provider = 'microsoft' and (claimed_until is null or claimed_until <= app_now()) and next_read_at > app_now()`
      const startMs = Math.ceil(site.clock.now() / dayMs + 300) * dayMs + nth * minuteMs
      for (let n = 0; n < 5; n++) {
        site.google.addEvent(crowd[(nth++ * stride) % crowd.length]!, isoOf(startMs), isoOf(startMs + minuteMs))
      }
      if (nth % 25 === 0) site.google.addEvent(large, isoOf(startMs), isoOf(startMs + minuteMs))
      await pause(1_000)
    }
  })()
  const stop = async () => {
    isOver = true
    await goingOn
    site.traffic.fate = () => 'pass'
  }
  return { crowd: crowd.length, stop }
}

/** Intervals that do not touch, over all that is read ahead. */
function fill({ google, clock }: Site, remote: string, count: number): void {
  const { delivery } = google.channels
  google.channels.delivery = 'never'
  const firstMs = Math.ceil(clock.now() / dayMs) * dayMs
  for (let nth = 0; nth < count; nth++) {
    // Never on the hour: the awaited events begin there.
    const startMs = firstMs + (nth * 28 + 3) * minuteMs
    google.addEvent(remote, isoOf(startMs), isoOf(startMs + 10 * minuteMs))
  }
  google.channels.delivery = delivery
}
