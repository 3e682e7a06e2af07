// `npm run trial -- human-calendars [goal …] [--small] [--without]`: the goals of calendars of humans, measured on the whole
// service. Numbers choose single goals. Exit code 1 when one is missed. `--without` takes the rules of each goal out, one at a
// time: then exit code 1 says that a goal is met all the same, or was not tried to the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import { copyWithout } from './cut.ts'
import type { Goal, Group, Measured } from './goal.ts'
import { groups } from './goals.ts'
import { openSite, type Site } from './site.ts'
import { readWords } from './words.ts'

const known = groups.flatMap(({ goals }) => goals)
const words = readWords(process.argv.slice(2), known)
if (words.kind === 'help') {
  for (const { nth, what, goal } of known) console.log(`${String(nth).padStart(3)}  ${what}: ${goal}`)
  process.exit(0)
}
if (words.kind === 'unknown') {
  console.error(`agent-calendar: there is no goal ${words.word}. Goals: ${known.map(({ nth }) => nth).join(', ')}`)
  process.exit(2)
}
const { chosen, size, isWithout } = words
const stop = listenForStop()
const shown: string[][] = []
let exitCode = 0
for (const { goals, ...shape } of groups) {
  const wanted = goals.filter(({ nth }) => chosen.length === 0 || chosen.includes(nth))
  if (wanted.length === 0) continue
  const run = isWithout ? runWithout : runGroup
  exitCode = (await run(wanted, shape)) || exitCode
}
const head = ['#', isWithout ? 'rule taken out' : 'measured', 'goal', 'figures', '']
console.log(`\n${table(head, shown, 5)}`)
process.exit(exitCode)

type Shape = Omit<Group, 'goals'>

/** The goals that share a run of the service. */
async function runGroup(goals: readonly Goal[], shape: Shape): Promise<number> {
  const results: Measured[] = []
  return run(goals, {
    open: () => openSite(shape),
    note(goal, measured) {
      results.push(measured)
      shown.push([...columnsOf(goal), measured.figures, verdict(measured)])
    },
    isWrong: () => results.length < goals.length || results.some(({ isMet }) => !isMet),
  })
}

/** Each goal on a copy without each of its rules. */
async function runWithout(goals: readonly Goal[], shape: Shape): Promise<number> {
  let code = 0
  for (const goal of goals) {
    for (const { what, cuts } of goal.rules) {
      const folder = mkdtempSync(join(tmpdir(), 'agent-calendar-without-'))
      let found: Measured | undefined
      const ended = await run([goal], {
        open: async () => openSite({ ...shape, root: copyWithout(cuts, join(folder, 'code')) }),
        note: (_, measured) => {
          found = measured
        },
        isWrong: () => !found || found.isMet,
      }).finally(() => rmSync(folder, { recursive: true }))
      shown.push([
        String(goal.nth),
        what,
        goal.goal,
        found?.figures ?? 'not tried to the end',
        found ? verdict(found) : '',
      ])
      code = ended || code
    }
  }
  return code
}

function columnsOf({ nth, what, goal }: Goal): string[] {
  return [String(nth), what, goal]
}

function verdict({ isMet }: Measured): string {
  return isMet ? 'met' : 'MISSED'
}

type Run = { open(): Promise<Site>; note(goal: Goal, measured: Measured): void; isWrong(): boolean }

async function run(goals: readonly Goal[], { open, note, isWrong }: Run): Promise<number> {
  if (stop.requested.aborted) return 1
  return runTrial<Site>({
    what: `Starting the service for ${goals.map(({ nth }) => nth).join(', ')}`,
    stop,
    maxMs: goals.length * 15 * 60_000,
    open,
    async run(site, stopped) {
      for (const goal of goals) {
        if (stopped.aborted) return
        console.log(`\n${goal.nth}: ${goal.what}`)
        const began = performance.now()
        const measured = await goal.run(site, size)
        site.traffic.fate = () => 'pass'
        note(goal, measured)
        const tookS = Math.round((performance.now() - began) / 1_000)
        console.log(`    ${verdict(measured)}: ${measured.figures} (goal: ${goal.goal}; ${tookS} s)`)
        for (const note of measured.notes ?? []) console.log(`    ${note}`)
        await pause(500)
      }
    },
    isWrong,
    report: () => undefined,
  })
}
