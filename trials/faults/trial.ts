// A trial under load: the whole service serves a steady load while one fault follows another, and each is judged.
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import type { InstallationOptions } from '../world/installation.ts'
import { runTrial } from '../world/trial.ts'
import type { Fault } from './faults.ts'
import { worstFirst } from './findings.ts'
import { runPhase } from './phase.ts'
import { type Result, tableOf } from './table.ts'
import { openWorld, type World } from './world.ts'

type FaultTrial = {
  what: string
  faults: readonly Fault[]
  /** Differences from the usual installation. */
  installation?: InstallationOptions
  storiesPerSecond?: number
  /** All of the load. */
  isOverMcp?: boolean
  /** How long the first phase lasts, in which nothing breaks. */
  calmMs?: number
  maxMs?: number
  /** Further promises of a phase, besides that nothing is lost, reported twice or partly applied. */
  expect?(result: Result): string[]
}

const shownFindings = 12

/** Returns the exit code: 1 when anything is wrong. */
export async function runFaults({ what, installation, maxMs = 10 * 60_000, ...trial }: FaultTrial): Promise<number> {
  const results: Result[] = []
  return runTrial<World>({
    what,
    stop: listenForStop(),
    maxMs,
    open: () => openWorld(installation),
    run: (world, stopped) => runPhases(world, trial, results, stopped),
    isWrong: () => results.some(({ findings }) => findings.length > 0),
    report: () => (results.length > 0 ? tableOf(results) : undefined),
  })
}

/** The first phase is without a fault, for comparison. It also places the holds that lapse later. */
async function runPhases(
  world: World,
  { faults, storiesPerSecond = 15, isOverMcp = false, calmMs = 15_000, expect }: Omit<FaultTrial, 'what'>,
  results: Result[],
  stopped: AbortSignal,
) {
  const calm: Fault = { name: 'none', what: 'nothing breaks', run: () => pause(calmMs) }
  for (const fault of [calm, ...faults]) {
    if (stopped.aborted) return
    const { findings, ...result } = await runPhase(world, fault, { storiesPerSecond, isOverMcp })
    const broken = expect?.({ ...result, findings }) ?? []
    const all = worstFirst([...findings, ...broken.map((text) => ({ kind: 'promise' as const, text }))])
    results.push({ ...result, findings: all })
    for (const { kind, text } of all.slice(0, shownFindings)) console.log(`    ${kind}: ${text}`)
    if (all.length > shownFindings) console.log(`    and ${all.length - shownFindings} more`)
  }
}

/** For phases that no caller may notice. */
export const noRequestFails = ({ figures }: Result): string[] =>
  figures.apiErrors > 0 ? [`${figures.apiErrors} requests failed`] : []
