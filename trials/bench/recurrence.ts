// How long one 90-day window of a series takes from its text: rule parsed, cancelled occurrences included, nothing kept
// between two questions. Targets: 50 times rrule-temporal, 1,000 times rrule five years in; 50 years in at most 1.5 times
// the time at the start. Runs alone: node trials/bench/recurrence.ts
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'
import { occurrencesBetween } from '../../src/recurrence/expand.ts'
import { parseRule } from '../../src/recurrence/grammar.ts'
import { compileSeries } from '../../src/recurrence/series.ts'
import { dayMs } from '../../src/shapes/durations.ts'

const START = new Date('2026-01-05T09:00:00Z')
const ROUNDS = 15
const BATCH_MS = 8

/** A new year's meeting, a stand-up, and what lies between: all of them begin on Monday, 5 January 2026. */
const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20991231',
  'FREQ=MONTHLY;BYDAY=1MO',
  'FREQ=MONTHLY;BYMONTHDAY=5',
]

/** `microseconds`: medians over the rounds, per expansion. A ratio compares with ours in the same round. */
type RecurrenceRow = {
  rule: string
  microseconds: { start: number; years5: number; years50: number; rruleTemporal: number; rrule: number }
  ratios: { rruleTemporal: number; rrule: number; years50ToStart: number }
}

/** `libraryText` is the series as the libraries read it, ready before the clock starts. */
type Window = { fromMs: number; toMs: number; cancelled: number[]; libraryText: string }

export async function benchRecurrence(): Promise<RecurrenceRow[]> {
  return RULES.map(benchRule)
}

function benchRule(text: string): RecurrenceRow {
  const [start, years5, years50] = [0, 5, 50].map((years) => windowAfter(years, text)) as [Window, Window, Window]
  const runs = {
    start: () => ours(text, start),
    years5: () => ours(text, years5),
    years50: () => ours(text, years50),
    rruleTemporal: () => byRruleTemporal(years5),
    rrule: () => byRrule(years5),
  }
  const counts = [runs.years5().length, runs.rruleTemporal().length, runs.rrule().length]
  if (new Set(counts).size !== 1) throw new Error(`${text}: the three engines found ${counts} occurrences`)

  const names = Object.keys(runs) as (keyof typeof runs)[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<keyof typeof runs, number[]>
  for (const name of names) for (let i = 0; i < (name === 'rrule' ? 5 : 2000); i++) runs[name]()
  // Interleaved, so that a slow moment of the machine meets all of them; the order turns with each round.
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length]!
      samples[name].push(microsecondsPerRun(runs[name]))
    }
  }
  const ratio = (slow: keyof typeof runs, fast: keyof typeof runs) =>
    median(samples[slow].map((sample, round) => sample / samples[fast][round]!))
  return {
    rule: text,
    microseconds: Object.fromEntries(
      names.map((name) => [name, median(samples[name])]),
    ) as RecurrenceRow['microseconds'],
    ratios: {
      rruleTemporal: ratio('rruleTemporal', 'years5'),
      rrule: ratio('rrule', 'years5'),
      years50ToStart: ratio('years50', 'start'),
    },
  }
}

/** 90 days with the same weekdays and about as many occurrences wherever it begins; two of them are cancelled. */
function windowAfter(years: number, text: string): Window {
  const fromMs = START.getTime() + Math.round((years * 365.25) / 28) * 28 * dayMs
  const toMs = fromMs + 90 * dayMs
  const cancelled = ours(text, { fromMs, toMs, cancelled: [], libraryText: '' }).slice(1, 3)
  return { fromMs, toMs, cancelled, libraryText: printForLibraries(text, cancelled) }
}

function ours(text: string, { fromMs, toMs, cancelled }: Window): number[] {
  const parsed = parseRule(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return occurrencesBetween(compileSeries(parsed.rule, START, cancelled), fromMs, toMs)
}

function byRruleTemporal({ fromMs, toMs, libraryText }: Window): unknown[] {
  return new RRuleTemporal({ rruleString: libraryText }).between(new Date(fromMs), new Date(toMs - 1), true)
}

function byRrule({ fromMs, toMs, libraryText }: Window): unknown[] {
  return rrule.rrulestr(libraryText).between(new Date(fromMs), new Date(toMs - 1), true)
}

function printForLibraries(text: string, cancelled: number[]): string {
  const stamp = (time: number) => new Date(time).toISOString().replace(/[-:]|\.000/g, '')
  return `DTSTART:${stamp(START.getTime())}\nRRULE:${text}\nEXDATE:${cancelled.map(stamp).join(',')}`
}

/** At least three runs of a slow engine, and thousands of a fast one. */
function microsecondsPerRun(run: () => unknown): number {
  const startedMs = performance.now()
  let runs = 0
  let spentMs = 0
  while (runs < 3 || spentMs < BATCH_MS) {
    const batch = spentMs > 0 && spentMs / runs < 0.05 ? 50 : 1
    for (let i = 0; i < batch; i++) run()
    runs += batch
    spentMs = performance.now() - startedMs
  }
  return (spentMs / runs) * 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

if (import.meta.main) {
  const rows = await benchRecurrence()
  const number = (value: number) => Number(value.toPrecision(3))
  console.table(
    rows.map(({ rule, microseconds, ratios }) => ({
      rule,
      'at start µs': number(microseconds.start),
      '5 years µs': number(microseconds.years5),
      'rrule-temporal µs': number(microseconds.rruleTemporal),
      'rrule µs': number(microseconds.rrule),
      '× rrule-temporal (≥ 50)': number(ratios.rruleTemporal),
      '× rrule (≥ 1000)': number(ratios.rrule),
      '50 years ÷ start (≤ 1.5)': number(ratios.years50ToStart),
    })),
  )
}
