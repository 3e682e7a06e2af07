// The calendars on which holds are requested, with the holds that overlap each.
import type { App } from '../app.ts'
import { batched } from '../stores/batch.ts'
import { calendarsWithRivals, type HoldCalendar, type RequestedHold } from './queries.ts'

const maxTogether = 100

/** One statement reads for the requests of one moment, on all their calendars. */
const openReads = ({ sql }: App) =>
  batched<readonly RequestedHold[], (HoldCalendar | undefined)[]>(
    maxTogether,
    async (requests) => {
      const rows = new Map((await calendarsWithRivals(sql, requests.flat())).map((row) => [row.nth, row]))
      let nth = 0
      return requests.map((holds) => holds.map(() => rows.get(nth++)))
    },
    { gather: { upTo: 4, gatherMs: 1 } },
  )

/** Of the holds of one request, in their order, all as they are at one moment. Undefined: the calendar is gone. */
export const readRivals = (app: App, holds: readonly RequestedHold[]): Promise<(HoldCalendar | undefined)[]> =>
  app.memory(openReads)(holds)
