// Goal 4: how long a change takes that no provider announces.
import { setTimeout as pause } from 'node:timers/promises'
import { type Goal, say, seconds, until } from './goal.ts'
import { askAbout, atRest, type Human, isoOf, openHumans, toNextRead } from './human.ts'
import { quickly, type Site } from './site.ts'

const calendarCount = 200
const silentCount = 20
const askedCount = 20
const dayMs = 86_400_000
const hourMs = 3_600_000
const halfHourMs = 1_800_000
/** A calendar without a channel is due after 5 minutes, with one after 15; each 10 % later at most. */
const maxMs = { caldav: 330_000, google: 990_000 }
const maxInterestMs = 65_000

type Change = { human: Human; startMs: number; changedAt: number }

export const pollingSpeed: Goal = {
  nth: 4,
  what: 'change at a provider that tells nothing, 200 calendars → agents see it',
  goal: 'CalDAV ≤ 330 s + read (silent channels ≤ 990 s + read); second question ≤ 65 s after the first',
  rules: [
    {
      what: 'where no provider tells of changes, the clock comes round every 5 minutes',
      cuts: [
        {
          file: 'src/externalCalendars/read.ts',
          from: "  if (read.provider === 'caldav' || !canBeHeard(app)) return false\n",
          instead: "  if (read.provider === 'caldav') return true\n",
        },
      ],
    },
    {
      what: 'a question about a copy that is over a minute old rings for a read',
      cuts: [{ file: 'src/connections/sources.ts', from: '  app.bell.ring([...connections]', to: ')\n', instead: '' }],
    },
  ],
  async run(site, size) {
    site.google.channels.delivery = 'never'
    const [caldav, google] = await quickly(site, async () => [
      await openHumans(site, 'caldav', size.of(calendarCount)),
      await openHumans(site, 'google', size.of(silentCount)),
    ])
    await until('each calendar of Google has a channel', 120_000, async () => {
      return site.google.channels.living.size >= google!.length
    })
    await atRest(site)
    say(`${caldav!.length} calendars of CalDAV and ${google!.length} of Google are read; changing each`)
    const byPeriod = { caldav: await seenAfter(site, caldav!), google: await seenAfter(site, google!) }
    const asked = [...caldav!.slice(0, size.of(askedCount)), ...google!.slice(0, size.of(askedCount))]
    const interestMs = await seenWhenAsked(site, asked)
    site.google.channels.delivery = 'once'
    return {
      isMet: byPeriod.caldav <= maxMs.caldav && byPeriod.google <= maxMs.google && interestMs <= maxInterestMs,
      figures: `CalDAV: read ≤ ${seconds(byPeriod.caldav)} later; silent channels ≤ ${seconds(byPeriod.google)}; asked about ≤ ${seconds(interestMs)}`,
    }
  },
}

let changes = 0

async function change(site: Site, human: Human): Promise<Change> {
  const startMs = Math.ceil(site.clock.now() / dayMs + 2) * dayMs + changes++ * hourMs
  const { account } = human
  if (account.provider === 'google') {
    site.google.addEvent(account.calendars[0]!.remote, isoOf(startMs), isoOf(startMs + halfHourMs))
  } else {
    await site.radicale.put(account.name, `change-${changes}`, new Date(startMs), new Date(startMs + halfHourMs))
  }
  return { human, startMs, changedAt: site.clock.now() }
}

/** How long after its change the last read began that saw it. There are no questions; the clock goes from read to read. */
async function seenAfter(site: Site, humans: readonly Human[]): Promise<number> {
  const made: Change[] = []
  for (const human of humans) made.push(await change(site, human))
  const waited = new Map(made.map((one) => [one.startMs, one]))
  let longestMs = 0
  await until('every change is read', 600_000, async () => {
    await toNextRead(site)
    const rows = await site.sql<{ start_time: Date; last_read_at: Date }[]>`
      select b.start_time, x.last_read_at
      from external_busy b
      join external_calendars x on x.org_id = b.org_id and x.id = b.external_calendar_id
      where b.start_time in ${site.sql([...waited.keys()].map(isoOf))}`
    for (const row of rows) {
      const { changedAt } = waited.get(row.start_time.getTime())!
      waited.delete(row.start_time.getTime())
      longestMs = Math.max(longestMs, row.last_read_at.getTime() - changedAt)
    }
    return waited.size === 0
  })
  return longestMs
}

/** How long after the first question about a copy that is over a minute old an answer has the change. */
async function seenWhenAsked(site: Site, humans: readonly Human[]): Promise<number> {
  await site.sql`
    update calendar_connections set next_read_at = app_now() + interval '4 minutes' where status = 'active'`
  await atRest(site)
  await site.clock.advance(site.sql, 61_000)
  const made: Change[] = []
  for (const human of humans) made.push(await change(site, human))
  const isTold = async ({ human, startMs }: Change) =>
    (await askAbout(human, startMs, startMs + halfHourMs)).slots.length === 0
  const firstAt = site.clock.now()
  const first = await Promise.all(made.map(isTold))
  say(`${first.filter(Boolean).length} of ${first.length} first questions are told already`)
  const lags = made.map(async (one) => {
    while (!(await isTold(one))) await pause(1_000)
    return site.clock.now() - firstAt
  })
  return Math.max(...(await Promise.all(lags)))
}
