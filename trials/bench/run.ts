// `npm run bench`: how fast the service is compared with the plainest thing that could do the same, as ratios. Words
// choose single benchmarks (`npm run bench -- events gate`); a run of all keeps its results in docs/performance.md.
// `--profile` writes CPU profiles of the processes to .data/profiles/ instead.
import { parseArgs } from 'node:util'
import { listenForStop } from '../../local/stopSignals.ts'
import { runTrial } from '../world/trial.ts'
import { benchAnswers } from './answers.ts'
import { benchAvailability } from './availability.ts'
import { benchChangeFeed } from './changeFeed.ts'
import { benchChanges } from './changes.ts'
import { benchConditional } from './conditional.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchDressedDeliveries } from './dressedDeliveries.ts'
import { benchDryRuns } from './dryRuns.ts'
import { benchEndToEnd } from './endToEnd.ts'
import { benchEvents } from './events.ts'
import { benchExplain } from './explain.ts'
import { benchFairness } from './fairness.ts'
import type { Row } from './figures.ts'
import { benchGate } from './gate.ts'
import { benchHoldGroups } from './holdGroups.ts'
import { benchIcal } from './ical.ts'
import { benchLists } from './lists.ts'
import { benchLocalView } from './localView.ts'
import { benchMcp } from './mcp.ts'
import { benchMeetings } from './meetings.ts'
import { loadNow, writePage } from './page.ts'
import { benchPeople } from './people.ts'
import { benchRecurrence } from './recurrence.ts'
import { tableOf } from './table.ts'
import { benchTimers } from './timers.ts'
import { openWorld, type World } from './world.ts'

const maxMs = 45 * 60_000

const benches: Record<string, (world: World) => Promise<Row[]>> = {
  availability: benchAvailability,
  events: benchEvents,
  answers: benchAnswers,
  dryRuns: benchDryRuns,
  conditional: benchConditional,
  changes: benchChanges,
  changeFeed: benchChangeFeed,
  explain: benchExplain,
  holdGroups: benchHoldGroups,
  gate: benchGate,
  deliveries: benchDeliveries,
  dressedDeliveries: benchDressedDeliveries,
  fairness: benchFairness,
  timers: benchTimers,
  'end-to-end': benchEndToEnd,
  lists: benchLists,
  ical: benchIcal,
  localView: benchLocalView,
  mcp: benchMcp,
  meetings: benchMeetings,
  people: benchPeople,
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
const failed: string[] = []
const load = loadNow()
const startedMs = performance.now()

async function runAll(world: World, stopped: AbortSignal) {
  for (const name of names) {
    if (stopped.aborted) return
    process.stdout.write(`${name} `)
    await runOne(name, world)
  }
  const minutes = Math.round((performance.now() - startedMs) / 60_000)
  const isWhole = positionals.length === 0 && failed.length === 0 && !values.profile
  if (isWhole) writePage(rows, { load, minutes })
}

/** If one fails, the others still run. */
async function runOne(name: string, world: World) {
  const begunMs = performance.now()
  try {
    const found = await benches[name]!(world)
    rows.push(...found)
    const seconds = Math.round((performance.now() - begunMs) / 1_000)
    console.log(` ${seconds} s, load average ${loadNow().toFixed(1)}\n${tableOf(found)}`)
  } catch (error) {
    failed.push(name)
    console.error(`\nagent-calendar: ${name} failed: ${(error as Error).stack}`)
  }
}

const code = await runTrial<World>({
  what: 'Starting Postgres, Redis and an API process',
  stop,
  maxMs,
  open: () => openWorld({ profileDir: values.profile ? '.data/profiles' : undefined }),
  run: runAll,
  // A target that is missed on a busy machine proves nothing.
  isWrong: () => failed.length > 0,
  report: () => (names.length > 1 && rows.length > 0 ? tableOf(rows) : undefined),
})
process.exit(stop.requested.aborted ? 130 : code)
