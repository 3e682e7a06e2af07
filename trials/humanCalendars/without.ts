// Goal 12: the cost of human calendars for organizations without them. A second copy of the service runs without the feature.
import { join } from 'node:path'
import { made } from '../world/client.ts'
import { median } from '../world/report.ts'
import { type Cut, copyWithout } from './cut.ts'
import { openDesk } from './desk.ts'
import { type Goal, say } from './goal.ts'
import { isoOf } from './human.ts'
import type { Site } from './site.ts'

const pairs = 3_000
const warmUp = 300
const eventCount = 100
const dayMs = 86_400_000
const hourMs = 3_600_000
const maxShare = 1.03

/** All requests that organizations without connections pay for. */
export const costs: readonly Cut[] = [
  {
    file: 'src/availability/readTimes.ts',
    from: '    if (!rows.some(({ isGranted }) => isGranted)) return rows\n',
    instead: '    return rows\n',
  },
  {
    file: 'src/availability/sourceQueries.ts',
    from: 'columns: isGranted(sql, orgId)',
    instead: 'columns: sql`null as nothing`',
  },
  {
    file: 'src/events/externalSync.ts',
    from: '  const published = await publishedAs',
    to: '\n',
    instead:
      "  return { status: 'not_configured' }\n  const published = await publishedAs(app, row.orgId, destinationId, before && row.id)\n",
  },
]

export const withoutHumans: Goal = {
  nth: 12,
  what: 'availability of organizations without connections, events without a destination: beside the service without all that',
  goal: 'within 3 %',
  rules: [
    {
      what: 'a calendar that is published nowhere looks for no copy of its events',
      cuts: [
        {
          file: 'src/externalCopies/published.ts',
          from: '  if (destinationId === null) return undefined\n',
          instead: '',
        },
      ],
    },
  ],
  async run(site, size) {
    const [whole, cut] = site.apis as [Site['apis'][0], Site['apis'][0]]
    await cut.become(copyWithout(costs, join(site.dataDir, 'without')))
    // Both are as new as each other.
    await whole.restart()
    const urls = [whole, cut].map(({ port }) => `http://127.0.0.1:${port}`) as [string, string]
    const desk = await openDesk(site)
    const { agentId, calendarId } = await desk.makeAgent()
    const spare = await desk.makeAgent()
    const other = await desk.makeAgent()
    const day = Math.ceil(site.clock.now() / dayMs + 2) * dayMs
    const eventAt = (startMs: number) => ({
      title: 'Ours',
      start_time: isoOf(startMs),
      end_time: isoOf(startMs + hourMs / 2),
    })
    for (let nth = 0; nth < eventCount; nth++) {
      await desk.ask('POST', `/v1/calendars/${calendarId}/events`, eventAt(day + nth * hourMs))
    }
    const send = (url: string, method: string, path: string, body?: object) =>
      made(
        fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${desk.key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        }).then(async (answer) => ({ status: answer.status, body: await answer.json() })),
      )
    let nth = 0
    const ask = (url: string) => {
      const startMs = day + nth++ * 60_000
      const query = new URLSearchParams({ start: isoOf(startMs), end: isoOf(startMs + 7 * dayMs) })
      return send(url, 'GET', `/v1/agents/${agentId}/availability?${query}`)
    }
    const create = (url: string) => {
      const place = url === urls[0] ? spare : other
      return send(url, 'POST', `/v1/calendars/${place.calendarId}/events`, eventAt(day + nth++ * 60_000))
    }
    const asked = await compare(urls, ask, size.of(pairs))
    const created = await compare(urls, create, size.of(pairs))
    const shown = ({ share, ms }: Compared) => `${((share - 1) * 100).toFixed(1)} % of ${ms.toFixed(2)} ms`
    return {
      isMet: asked.share <= maxShare && created.share <= maxShare,
      figures: `availability ${shown(asked)}, creation ${shown(created)}`,
    }
  },
}

type Compared = { share: number; ms: number }

/** In turns, so that whatever else the machine does slows down both. `share`: of the first median in the second. */
async function compare(
  urls: readonly [string, string],
  work: (url: string) => Promise<unknown>,
  count: number,
): Promise<Compared> {
  const took: [number[], number[]] = [[], []]
  for (let nth = 0; nth < warmUp + count; nth++) {
    for (const which of nth % 2 === 0 ? [0, 1] : [1, 0]) {
      const began = performance.now()
      await work(urls[which]!)
      if (nth >= warmUp) took[which]!.push(performance.now() - began)
    }
  }
  const [whole, cut] = took.map((times) => median(times)) as [number, number]
  say(`${count} pairs: ${whole.toFixed(3)} ms, without ${cut.toFixed(3)} ms`)
  return { share: whole / cut, ms: cut }
}
