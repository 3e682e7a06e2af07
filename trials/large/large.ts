// `npm run trial -- large [operation …] [--agents 1000000]`: the cost of each operation in a large installation, against
// the same in a small one, side by side.
import { tmpdir } from 'node:os'
import { listenForStop } from '../../local/stopSignals.ts'
import { interleaved, millis, type Row, rowOf, verdictOf } from '../bench/figures.ts'
import { tableOf } from '../bench/table.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { runTrial } from '../world/trial.ts'
import { refuse } from '../world/words.ts'
import { freeBytesIn, gigabytes, neededBytes } from './disk.ts'
import { explained } from './explained.ts'
import { type Operation, operations } from './operations.ts'
import { growthOf, pagesRead, shownGrowth, statementsOf } from './plans.ts'
import { durationOf } from './progress.ts'
import { sizesOf } from './shape.ts'
import { openSide, type Side } from './side.ts'
import { sizeOf } from './tableSizes.ts'
import { readWords } from './words.ts'

/** Wall time beside it depends on other work of the machine. */
const target = { of: 'cpu', atMost: 1.2 } as const
const maxMs = 6 * 60 * 60_000

const { chosen, agents, against, rounds, placesPerKind } = readWords(process.argv.slice(2), Object.keys(operations))

const listed = (sizes: object) =>
  Object.entries(sizes)
    .map(([name, count]) => `${(count as number).toLocaleString('en')} ${name}`)
    .join(', ')

const needed = neededBytes({ large: agents, small: against })
const free = freeBytesIn(tmpdir())
console.log(`The large installation: ${listed(sizesOf(agents))}\nThe small one: ${listed(sizesOf(against))}`)
console.log(`They need about ${gigabytes(needed)} of disk in ${tmpdir()}, which has ${gigabytes(free)} free.`)
if (needed > free) refuse('not enough disk: name another folder with TMPDIR, or fewer agents with --agents')

type Sides = { large: Side; small: Side }
const rows: Row[] = []
const notes: string[] = []
const failed: string[] = []

async function weigh({ large, small }: Sides, name: string, operation: Operation): Promise<void> {
  process.stdout.write(`${name} `)
  const weighed = (side: Side) => async (round: number) => (await operation(side, round))()
  const figures = await interleaved(rounds, { ours: weighed(large), baseline: weighed(small) })
  const row = rowOf({ bench: 'large', name, target }, figures, millis)
  rows.push(row)
  console.log(`\n${tableOf([row])}`)
  const read = await readsOf({ large, small }, operation)
  notes.push(noteOf(row, read.large, read.small))
  console.log(notes.at(-1))
}

type Reads = Awaited<ReturnType<typeof explained>>

/** The plans of one more round on each side. */
async function readsOf({ large, small }: Sides, operation: Operation): Promise<{ large: Reads; small: Reads }> {
  const planned = async (side: Side) => explained(side.world, await operation(side, rounds + 1))
  return { large: await planned(large), small: await planned(small) }
}

/** Whole plans where the operation costs too much. */
function noteOf(row: Row, large: Reads, small: Reads): string {
  const isMissed = verdictOf(row) === 'missed'
  const growth = growthOf(statementsOf(large), statementsOf(small))
  const pages = [small, large].map((reads) => pagesRead(reads).toLocaleString('en')).join(' → ')
  const what = growth.length > 0 ? 'these statements read more:' : 'no statement reads more'
  const heading = `${row.name}${isMissed ? ', over the bound' : ''}: pages of a round ${pages}, ${what}`
  return [heading, ...growth.map((one) => shownGrowth(one, isMissed))].join('\n')
}

/** If one fails, the others still run. */
async function weighAll(sides: Sides, stopped: AbortSignal): Promise<void> {
  for (const name of chosen) {
    stopped.throwIfAborted()
    try {
      await weigh(sides, name, operations[name]!)
    } catch (error) {
      failed.push(name)
      console.error(`\nagent-calendar: ${name} failed: ${(error as Error).stack}`)
    }
  }
}

const stop = listenForStop()
const code = await runTrial<Sides & Closable>({
  what: 'Starting and filling both installations',
  stop,
  maxMs,
  open: () =>
    openAll('large', async (opened) => {
      const open = async (name: keyof Sides, count: number) => {
        const beganMs = performance.now()
        console.log(`The ${name} one:`)
        const side = await openSide(opened, { name, agents: count, placesPerKind, stopped: stop.requested })
        console.log(`It took ${durationOf(performance.now() - beganMs)}. ${await sizeOf(side)}`)
        return side
      }
      return { small: await open('small', against), large: await open('large', agents) }
    }),
  run: weighAll,
  // A busy machine changes figures: the table shows them, and a human judges.
  isWrong: () => failed.length > 0,
  report: () => (rows.length > 0 ? [tableOf(rows), ...notes].join('\n\n') : undefined),
})
process.exit(stop.requested.aborted ? 130 : code)
