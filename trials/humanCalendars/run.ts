// `npm run trial -- human-calendars [goal …] [--small]`: the goals of calendars of humans, measured on the whole service.
// Numbers choose single goals. Exit code 1 when one is missed.
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import type { Goal, Group, Measured, Size } from './goal.ts'
import { groups } from './goals.ts'
import { openSite, type Site } from './site.ts'

const { chosen, size } = readWords(process.argv.slice(2))
const results: { goal: Goal; measured: Measured }[] = []
const stop = listenForStop()
let exitCode = 0
for (const group of groups) {
  const goals = group.goals.filter(({ nth }) => chosen.length === 0 || chosen.includes(nth))
  if (goals.length === 0 || stop.requested.aborted) continue
  exitCode = (await runGroup({ ...group, goals })) || exitCode
}
const shown = results.map(({ goal, measured }) => [
  ...[String(goal.nth), goal.what, goal.goal, measured.figures, measured.isMet ? 'met' : 'MISSED'],
])
console.log(`\n${table(['#', 'measured', 'goal', 'figures', ''], shown, 5)}`)
process.exit(exitCode)

function runGroup({ goals, ...shape }: Group): Promise<number> {
  const own: Measured[] = []
  return runTrial<Site>({
    what: `Starting the service with ${shape.workers} workers for ${goals.map(({ nth }) => nth).join(', ')}`,
    stop,
    maxMs: goals.length * 15 * 60_000,
    open: () => openSite(shape),
    async run(site, stopped) {
      for (const goal of goals) {
        if (stopped.aborted) return
        console.log(`\n${goal.nth}: ${goal.what}`)
        const began = performance.now()
        const measured = await goal.run(site, size)
        site.traffic.fate = () => 'pass'
        own.push(measured)
        results.push({ goal, measured })
        const verdict = measured.isMet ? 'met' : 'MISSED'
        console.log(
          `    ${verdict}: ${measured.figures} (goal: ${goal.goal}; ${Math.round((performance.now() - began) / 1_000)} s)`,
        )
        for (const note of measured.notes ?? []) console.log(`    ${note}`)
        await pause(500)
      }
    },
    isWrong: () => own.length < goals.length || own.some(({ isMet }) => !isMet),
    report: () => undefined,
  })
}

function readWords(words: readonly string[]): { chosen: readonly number[]; size: Size } {
  const known = groups.flatMap(({ goals }) => goals)
  const isSmall = words.includes('--small')
  const numbers = words.filter((word) => word !== '--small')
  if (numbers.includes('--help')) {
    for (const { nth, what, goal } of known) console.log(`${String(nth).padStart(3)}  ${what}: ${goal}`)
    process.exit(0)
  }
  const unknown = numbers.find((word) => !known.some(({ nth }) => String(nth) === word))
  if (unknown !== undefined) {
    console.error(`agent-calendar: there is no goal ${unknown}. Goals: ${known.map(({ nth }) => nth).join(', ')}`)
    process.exit(2)
  }
  const of = (count: number) => (isSmall ? Math.ceil(count / 10) : count)
  return { chosen: numbers.map(Number), size: { of, isSmall } }
}
