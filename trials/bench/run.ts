// `npm run bench`: how fast the service is beside the plainest thing that could do the same, as ratios. Words choose
// single benchmarks (`npm run bench -- events gate`); `--profile` leaves CPU profiles of the processes in .data/profiles/.
import { parseArgs } from 'node:util'
import { aborted, listenForStop } from '../../local/stopSignals.ts'
import { benchAvailability } from './availability.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchEvents } from './events.ts'
import { benchFairness } from './fairness.ts'
import { micros, type Row } from './figures.ts'
import { benchGate } from './gate.ts'
import { benchIcal } from './ical.ts'
import { benchLists } from './lists.ts'
import { benchRecurrence } from './recurrence.ts'
import { table } from './table.ts'
import { benchTimers } from './timers.ts'
import { openWorld, type World } from './world.ts'

const maxMs = 12 * 60_000

const benches: Record<string, (world: World) => Promise<Row[]>> = {
  availability: benchAvailability,
  events: benchEvents,
  gate: benchGate,
  deliveries: benchDeliveries,
  fairness: benchFairness,
  timers: benchTimers,
  lists: benchLists,
  ical: benchIcal,
  recurrence: recurrenceRows,
}

async function recurrenceRows(): Promise<Row[]> {
  return (await benchRecurrence()).flatMap(({ rule, microseconds, ratios }) => {
    const ours = { bench: 'recurrence', ours: micros(microseconds.years5) }
    return [
      {
        ...ours,
        name: `${rule}: × rrule-temporal`,
        baseline: micros(microseconds.rruleTemporal),
        ratios: [ratios.rruleTemporal],
        target: { atLeast: 50 },
      },
      {
        ...ours,
        name: `${rule}: × rrule`,
        baseline: micros(microseconds.rrule),
        ratios: [ratios.rrule],
        target: { atLeast: 1_000 },
      },
      {
        ...ours,
        name: `${rule}: 50 years in ÷ start`,
        ours: micros(microseconds.years50),
        baseline: micros(microseconds.start),
        ratios: [ratios.years50ToStart],
        target: { atMost: 1.5 },
      },
    ]
  })
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { profile: { type: 'boolean' } } })

function chosenNames(): string[] {
  const names = Object.keys(benches)
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    console.error(`agent-calendar: there is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}`)
    process.exit(2)
  }
  return names.filter((name) => positionals.length === 0 || positionals.includes(name))
}

const stop = listenForStop()

async function main(): Promise<number> {
  const names = chosenNames()
  const rows: Row[] = []
  let world: World | undefined
  let code = 0
  try {
    const runAll = async () => {
      world = await openWorld(values.profile ? '.data/profiles' : undefined)
      for (const name of names) {
        if (stop.requested.aborted) return
        console.log(`${name}…`)
        const found = await benches[name]!(world)
        rows.push(...found)
        console.log(table(found))
      }
    }
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`not done within ${maxMs / 60_000} minutes`)), maxMs).unref(),
    )
    const running = runAll()
    running.catch(() => {})
    await Promise.race([running, aborted(stop.requested), late])
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).stack}`)
    code = 1
  }
  if (names.length > 1 && rows.length > 0) console.log(`\n${table(rows)}`)
  await world?.close()
  return stop.requested.aborted ? 130 : code
}

process.exit(await main())
