// `npm run bench`: how fast the service is compared with the plainest thing that could do the same, as ratios. Words
// choose single benchmarks (`npm run bench -- events gate`); `--profile` writes CPU profiles of the processes to
// .data/profiles/.
import { parseArgs } from 'node:util'
import { listenForStop } from '../../local/stopSignals.ts'
import { runTrial } from '../world/trial.ts'
import { benchAvailability } from './availability.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchEvents } from './events.ts'
import { benchFairness } from './fairness.ts'
import type { Row } from './figures.ts'
import { benchGate } from './gate.ts'
import { benchIcal } from './ical.ts'
import { benchLists } from './lists.ts'
import { benchRecurrence } from './recurrence.ts'
import { tableOf } from './table.ts'
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
  recurrence: benchRecurrence,
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
const names = chosenNames()
const rows: Row[] = []

async function runAll(world: World, stopped: AbortSignal) {
  for (const name of names) {
    if (stopped.aborted) return
    console.log(`${name}…`)
    const found = await benches[name]!(world)
    rows.push(...found)
    console.log(tableOf(found))
  }
}

const code = await runTrial<World>({
  what: 'Starting Postgres, Redis and an API process',
  stop,
  maxMs,
  open: () => openWorld(values.profile ? '.data/profiles' : undefined),
  run: runAll,
  // A target that is missed on a busy machine proves nothing.
  isWrong: () => false,
  report: () => (names.length > 1 && rows.length > 0 ? tableOf(rows) : undefined),
})
process.exit(stop.requested.aborted ? 130 : code)
