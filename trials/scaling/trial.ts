// A trial: the whole service in a shape of its own under a steady load, what happens to it one after the other, and the
// judgement of the fault test. Loopback only, ends by itself, exit code 1 when anything is wrong.
import { setTimeout as pause } from 'node:timers/promises'
import { aborted, listenForStop, notDoneWithin } from '../../local/stopSignals.ts'
import type { Fault } from '../faults/faults.ts'
import type { Finding } from '../faults/findings.ts'
import { openLoad } from '../faults/load.ts'
import { runPhase } from '../faults/phase.ts'
import { type Result, table } from '../faults/table.ts'
import { openWorld, type World, type WorldOptions } from '../faults/world.ts'

type Trial = WorldOptions & {
  what: string
  phases: readonly Fault[]
  /** Stories that begin each second. */
  rate?: number
  /** What else must be true of a phase, beside that nothing is lost, told twice or half done. */
  expect?(result: Result): string[]
}

const calmMs = 15_000
const maxMs = 10 * 60_000
const shownFindings = 12

/** What is normal, for comparison. */
const calm: Fault = { name: 'none', what: 'nothing happens', run: () => pause(calmMs) }

export async function runTrial(trial: Trial): Promise<number> {
  const stop = listenForStop()
  const results: Result[] = []
  let world: World | undefined
  let isWrong = true
  try {
    console.log(trial.what)
    const late = notDoneWithin(maxMs)
    world = await Promise.race([openWorld(trial), aborted(stop.requested).then(() => undefined), late])
    if (!world) return 1
    const running = runPhases(world, trial, results, stop.requested)
    running.catch(() => {})
    await Promise.race([running, aborted(stop.requested), late])
    isWrong = stop.requested.aborted || results.some(({ findings }) => findings.length > 0)
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).message}`)
  }
  if (results.length > 0) console.log(`\n${table(results)}\n`)
  if (isWrong && world) console.log(`The logs are in ${world.dataDir}`)
  await world?.close(isWrong)
  return isWrong ? 1 : 0
}

async function runPhases(world: World, { phases, rate = 15, expect }: Trial, results: Result[], stopped: AbortSignal) {
  const load = openLoad(world, rate)
  for (const phase of [calm, ...phases]) {
    if (stopped.aborted) return
    const { findings, ...result } = await runPhase(world, load, phase)
    const broken = expect?.({ ...result, findings }) ?? []
    const all: Finding[] = [...findings, ...broken.map((text) => ({ kind: 'promise' as const, text }))]
    results.push({ ...result, findings: all })
    for (const { kind, text } of all.slice(0, shownFindings)) console.log(`    ${kind}: ${text}`)
    if (all.length > shownFindings) console.log(`    and ${all.length - shownFindings} more`)
  }
}

/** For phases in which no caller may notice anything. */
export const noRequestFails = ({ figures }: Result): string[] =>
  figures.apiErrors > 0 ? [`${figures.apiErrors} requests failed`] : []
