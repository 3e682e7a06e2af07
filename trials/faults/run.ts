// `npm run faults`: the whole service under a steady load while things break, one after another. Words choose single
// faults (`npm run faults -- kill-worker flush-redis`), `--help` names them. Loopback only, ends by itself, exit code 1
// when anything is wrong.
import { aborted, listenForStop, notDoneWithin } from '../../local/stopSignals.ts'
import type { Fault } from './faults.ts'
import { worstFirst } from './findings.ts'
import { openLoad } from './load.ts'
import { runPhase } from './phase.ts'
import { type Result, table } from './table.ts'
import { readWords } from './words.ts'
import { openWorld, type World } from './world.ts'

const calmMs = 32_000
const shownFindings = 12
/** Of the whole run, whatever happens. */
const maxMs = 15 * 60_000

const { chosen, perSecond } = readWords(process.argv.slice(2))

/** The first phase is without a fault: what the figures are when all is well. It also places the holds that lapse later. */
async function runAll(world: World, results: Result[], stopped: AbortSignal) {
  const calm: Fault = {
    name: 'none',
    what: 'nothing breaks',
    run: () => new Promise((done) => setTimeout(done, calmMs)),
  }
  const load = openLoad(world, perSecond)
  for (const fault of [calm, ...chosen]) {
    if (stopped.aborted) return
    const result = await runPhase(world, load, fault)
    results.push(result)
    for (const { kind, text } of worstFirst(result.findings).slice(0, shownFindings))
      console.log(`    ${kind}: ${text}`)
    const more = result.findings.length - shownFindings
    if (more > 0) console.log(`    and ${more} more`)
  }
}

const stop = listenForStop()

async function main(): Promise<number> {
  const results: Result[] = []
  let world: World | undefined
  let isWrong = true
  try {
    console.log('Starting Postgres, Redis, two API processes and two workers')
    world = await openWorld()
    const late = notDoneWithin(maxMs)
    const running = runAll(world, results, stop.requested)
    running.catch(() => {})
    await Promise.race([running, aborted(stop.requested), late])
    isWrong = stop.requested.aborted || results.some(({ findings }) => findings.length > 0)
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).stack}`)
  }
  if (results.length > 0) console.log(`\n${table(results)}\n`)
  if (isWrong && world) console.log(`The logs are in ${world.dataDir}`)
  await world?.close(isWrong)
  return isWrong ? 1 : 0
}

process.exit(await main())
