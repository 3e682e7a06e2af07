// How long one 90-day window of a series takes, from the text of its rule and with cancelled occurrences; nothing is
// kept between two questions. The libraries answer the same five years in.
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'
import { occurrencesBetween } from '../../src/recurrence/expand.ts'
import { parseRule } from '../../src/recurrence/grammar.ts'
import { type Beside, compileSeries } from '../../src/recurrence/series.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { median } from '../world/report.ts'
import { interleaved, micros, type Row, rowOf } from './figures.ts'

const seriesStart = new Date('2026-01-05T09:00:00Z')
const rounds = 15
/** Its clocks change twice a year. */
const zone = 'Europe/Berlin'
const batchMs = 8

/** All of them begin on Monday, 5 January 2026. */
const rules = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20991231',
  'FREQ=MONTHLY;BYDAY=1MO',
  'FREQ=MONTHLY;BYMONTHDAY=5',
]

/** `libraryText` is the series as the libraries read it, ready before the clock starts. */
type Window = { fromMs: number; toMs: number; cancelled: number[]; libraryText: string }

export async function benchRecurrence(): Promise<Row[]> {
  const rows: Row[] = []
  for (const rule of rules) rows.push(...(await benchRule(rule)))
  return rows
}

async function benchRule(text: string): Promise<Row[]> {
  const [start, years5, years50] = [0, 5, 50].map((years) => windowAfter(years, text)) as [Window, Window, Window]
  const runs = {
    start: () => ours(text, start),
    years5: () => ours(text, years5),
    years50: () => ours(text, years50),
    byClock: () => ours(text, years5, { zone }),
    rruleTemporal: () => byRruleTemporal(years5),
    rrule: () => byRrule(years5),
  }
  const counts = [runs.years5().length, runs.rruleTemporal().length, runs.rrule().length]
  if (new Set(counts).size !== 1) throw new Error(`${text}: the three engines found ${counts} occurrences`)
  for (const [name, run] of Object.entries(runs)) for (let i = 0; i < (name === 'rrule' ? 5 : 2000); i++) run()
  const samples = await interleaved(rounds, {
    start: () => microsecondsPerRun(runs.start),
    years5: () => microsecondsPerRun(runs.years5),
    years50: () => microsecondsPerRun(runs.years50),
    byClock: () => microsecondsPerRun(runs.byClock),
    rruleTemporal: () => microsecondsPerRun(runs.rruleTemporal),
    rrule: () => microsecondsPerRun(runs.rrule),
  })
  const later = { ours: samples.years50, baseline: samples.start }
  const facts = { bench: 'recurrence', name: `${text}: 50 years in ÷ start`, target: { atMost: 1.5 } }
  const byClock = { bench: 'recurrence', name: `${text}: by the clock of a zone ÷ UTC`, target: { atMost: 3 } }
  return [
    timesFaster(`${text}: × rrule-temporal`, samples.years5, samples.rruleTemporal, 50),
    timesFaster(`${text}: × rrule`, samples.years5, samples.rrule, 1_000),
    rowOf(facts, later, micros),
    rowOf(byClock, { ours: samples.byClock, baseline: samples.years5 }, micros),
  ]
}

const timesFaster = (name: string, ours: readonly number[], baseline: readonly number[], atLeast: number): Row => ({
  bench: 'recurrence',
  name,
  ours: micros(median(ours)),
  baseline: micros(median(baseline)),
  ratios: baseline.map((figure, round) => figure / ours[round]!),
  target: { atLeast },
})

/** 90 days with the same weekdays and about as many occurrences wherever it begins; two of them are cancelled. */
function windowAfter(years: number, text: string): Window {
  const fromMs = seriesStart.getTime() + Math.round((years * 365.25) / 28) * 28 * dayMs
  const toMs = fromMs + 90 * dayMs
  const cancelled = ours(text, { fromMs, toMs, cancelled: [], libraryText: '' }).slice(1, 3)
  return { fromMs, toMs, cancelled, libraryText: printForLibraries(text, cancelled) }
}

function ours(text: string, { fromMs, toMs, cancelled }: Window, beside?: Beside): number[] {
  const parsed = parseRule(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return occurrencesBetween(compileSeries(parsed.rule, seriesStart, cancelled, 0, beside), fromMs, toMs)
}

function byRruleTemporal({ fromMs, toMs, libraryText }: Window): unknown[] {
  return new RRuleTemporal({ rruleString: libraryText }).between(new Date(fromMs), new Date(toMs - 1), true)
}

function byRrule({ fromMs, toMs, libraryText }: Window): unknown[] {
  return rrule.rrulestr(libraryText).between(new Date(fromMs), new Date(toMs - 1), true)
}

function printForLibraries(text: string, cancelled: number[]): string {
  const stamp = (time: number) => new Date(time).toISOString().replace(/[-:]|\.000/g, '')
  return `DTSTART:${stamp(seriesStart.getTime())}\nRRULE:${text}\nEXDATE:${cancelled.map(stamp).join(',')}`
}

/** At least three runs of a slow engine, and thousands of a fast one. */
function microsecondsPerRun(run: () => unknown): number {
  const startedMs = performance.now()
  let runs = 0
  let spentMs = 0
  while (runs < 3 || spentMs < batchMs) {
    const batch = spentMs > 0 && spentMs / runs < 0.05 ? 50 : 1
    for (let i = 0; i < batch; i++) run()
    runs += batch
    spentMs = performance.now() - startedMs
  }
  return (spentMs / runs) * 1000
}
