// Goal 6: a provider is away for a day. Copies grow old, answers close in time, and open again when it is back.
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId } from '../../src/shapes/ids.ts'
import { type Goal, say, seconds } from './goal.ts'
import { askAbout, atRest, type Human, openHumans, toNextRead } from './human.ts'
import { quickly, type Site } from './site.ts'

const humanCount = 10
const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const maxBackMs = 330_000
const maxAskedMs = 65_000

export const providerAway: Goal = {
  nth: 6,
  what: 'both kinds of provider are away for a day and come back',
  goal: 'closed 20 min after the last read began, stale until 24 h; open ≤ 330 s after it is back, ≤ 65 s where asked',
  rules: [
    {
      what: 'a copy is current for 20 minutes',
      cuts: [{ file: 'src/connections/rules.ts', from: 'isActive && ageMs <= currentMs && ', instead: 'isActive && ' }],
    },
    {
      what: 'what fails is read again within 5 minutes',
      cuts: [
        {
          file: 'src/connections/rules.ts',
          from: 'const maxRetryMs = 5 * minuteMs',
          instead: 'const maxRetryMs = 60 * minuteMs',
        },
      ],
    },
  ],
  async run(site, size) {
    const [asked, unasked] = await quickly(site, async () => [
      [
        ...(await openHumans(site, 'google', size.of(humanCount))),
        ...(await openHumans(site, 'caldav', size.of(humanCount))),
      ],
      [
        ...(await openHumans(site, 'google', size.of(humanCount))),
        ...(await openHumans(site, 'caldav', size.of(humanCount))),
      ],
    ])
    await atRest(site)
    site.traffic.fate = () => 'fail'
    const wrong = await growOld(site, asked!)
    await waitForRetry(site)
    site.traffic.fate = () => 'pass'
    const backAt = site.clock.now()
    const askedMs = await openWhenAsked(site, asked!)
    const unaskedMs = await readAgain(site, unasked!, backAt)
    return {
      isMet: wrong.length === 0 && askedMs <= maxAskedMs && unaskedMs <= maxBackMs,
      figures: `${wrong.length === 0 ? 'closed and stale as they shall be' : `${wrong.length} WRONG answers`}; open again ≤ ${seconds(unaskedMs)}, where asked ≤ ${seconds(askedMs)}`,
      notes: wrong.slice(0, 5),
    }
  },
}

/** The expected answers to agents at this age of the copy: with and without `allow_stale`, whether there are slots. */
const ages = [
  { what: '19 min 45 s', ageMs: 19 * minuteMs + 45 * secondMs, state: 'complete', slots: true, staleSlots: true },
  { what: '20 min 10 s', ageMs: 20 * minuteMs + 10 * secondMs, state: 'stale', slots: false, staleSlots: true },
  { what: '23 h 59 min', ageMs: 24 * hourMs - minuteMs, state: 'stale', slots: false, staleSlots: true },
  { what: '24 h 10 s', ageMs: 24 * hourMs + 10 * secondMs, state: 'unavailable', slots: false, staleSlots: false },
]

/** The answers that differ from the expected ones. */
async function growOld(site: Site, humans: readonly Human[]): Promise<string[]> {
  const wrong: string[] = []
  const startMs = Math.ceil(site.clock.now() / dayMs + 3) * dayMs
  const ask = (human: Human, more: Record<string, string> = {}) => askAbout(human, startMs, startMs + 2 * hourMs, more)
  const first = await Promise.all(humans.map((human) => ask(human)))
  const readAt = first.map((answer) => Date.parse(answer.sources.last_synced_at))
  // Copies are of one age if they were read at once; each is asked about when it has this age.
  const order = humans.map((human, nth) => ({ human, readAt: readAt[nth]! })).sort((a, b) => a.readAt - b.readAt)
  for (const { what, ageMs, ...expected } of ages) {
    for (const one of order) {
      const aheadMs = one.readAt + ageMs - site.clock.now()
      if (aheadMs > 0) await site.clock.advance(site.sql, aheadMs)
      const [answer, stale] = [await ask(one.human), await ask(one.human, { allow_stale: 'true' })]
      const told = {
        state: answer.availability_state,
        slots: answer.slots.length > 0,
        staleSlots: stale.slots.length > 0,
      }
      if (JSON.stringify(told) !== JSON.stringify(expected)) {
        const exactMs = site.clock.now() - one.readAt
        wrong.push(`${one.human.account.provider} at ${what} (${seconds(exactMs)}): ${JSON.stringify(told)}`)
      }
    }
    say(`${what} old: asked about ${order.length}, ${wrong.length} wrong answers so far`)
  }
  return wrong
}

/** Each read has failed often, and lately: so the next one is as late as possible. */
async function waitForRetry(site: Site): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await site.clock.advance(site.sql, hourMs)
    await atRest(site)
  }
  await toNextRead(site)
}

async function openWhenAsked(site: Site, humans: readonly Human[]): Promise<number> {
  const startMs = Math.ceil(site.clock.now() / dayMs + 3) * dayMs
  const backAt = site.clock.now()
  const lags = new Map<Human, number>()
  while (lags.size < humans.length && site.clock.now() - backAt < 10 * minuteMs) {
    for (const human of humans.filter((one) => !lags.has(one))) {
      const { slots } = await askAbout(human, startMs, startMs + 2 * hourMs)
      if (slots.length > 0) lags.set(human, site.clock.now() - backAt)
    }
    await pause(1_000)
  }
  return lags.size < humans.length ? Number.POSITIVE_INFINITY : Math.max(...lags.values())
}

/** How long after `backAt` the last of them was read. The clock goes from read to read. */
async function readAgain(site: Site, humans: readonly Human[], backAt: number): Promise<number> {
  // No session lasts longer than a day.
  const ids = humans.map(({ account }) => decodeId('con', account.id)!)
  for (let tries = 0; tries < 1_200; tries++) {
    const rows = await site.sql<{ last_read_at: Date }[]>`
      select last_read_at from external_calendars where connection_id in ${site.sql(ids)}`
    const reads = rows.map((row) => row.last_read_at.getTime())
    if (reads.every((at) => at >= backAt)) return Math.max(...reads) - backAt
    await toNextRead(site)
    await pause(500)
  }
  return Number.POSITIVE_INFINITY
}
