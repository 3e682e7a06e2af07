// The table of results.
import { percentile, table } from '../world/report.ts'
import type { Figures } from './figures.ts'
import type { Finding, FindingKind } from './findings.ts'

export type Result = { name: string; figures: Figures; findings: readonly Finding[] }

export const seconds = (ms: number) => (Number.isNaN(ms) ? '-' : `${(ms / 1000).toFixed(ms < 9_950 ? 2 : 1)} s`)
const millis = (ms: number) => (Number.isNaN(ms) ? '-' : `${Math.round(ms)} ms`)

export type Column<R extends Result> = [title: string, cell: (result: R) => string]

const columns: readonly Column<Result>[] = [
  ['fault', ({ name }) => name],
  ['changes', ({ figures }) => String(figures.changes)],
  ['moments', ({ figures }) => String(figures.moments)],
  ['lost', ({ findings }) => String(countOf(findings, 'lost'))],
  ['twice', ({ findings }) => String(countOf(findings, 'twice'))],
  ['half', ({ findings }) => String(countOf(findings, 'half'))],
  ['foreign', ({ findings }) => String(countOf(findings, 'foreign'))],
  ['other', ({ findings }) => String(countOf(findings, 'promise'))],
  ['duplicated', ({ figures }) => String(figures.repeated)],
  ['late p50', ({ figures }) => seconds(percentile(figures.lateMs, 0.5))],
  ['p99', ({ figures }) => seconds(percentile(figures.lateMs, 0.99))],
  ['max', ({ figures }) => seconds(percentile(figures.lateMs, 1))],
  ['API errors', ({ figures }) => String(figures.apiErrors)],
  ['API p50', ({ figures }) => millis(percentile(figures.apiMs, 0.5))],
  ['p99', ({ figures }) => millis(percentile(figures.apiMs, 0.99))],
  ['slowest', ({ figures }) => seconds(figures.slowestMs)],
  ['heals in', ({ figures }) => seconds(figures.healMs)],
]

const countOf = (findings: readonly Finding[], kind: FindingKind): number =>
  findings.filter((finding) => finding.kind === kind).length

const legend = [
  'lost: committed or due, and never reported. twice: reported under two delivery ids. half: a part of a change without the rest.',
  'foreign: an answer, a delivery or a record of another organization than the one that it reached.',
  'other: a promise that was not kept, said above.',
  'duplicated: the same delivery id again, which receivers drop. late: first arrival of a moment after its due time.',
  'API p50, p99: answers while the fault lasted. slowest: of all answers. heals in: from the end of the fault.',
]

/** `more`: columns of one trial alone, and what they say. */
export function tableOf<R extends Result>(results: readonly R[], more: readonly Column<R>[] = [], said = ''): string {
  const all: readonly Column<R>[] = [...columns, ...more]
  const titles = all.map(([title]) => title)
  const rows = results.map((result) => all.map(([, cell]) => cell(result)))
  return [table(titles, rows), '', ...[...legend, said].filter(Boolean).map((text) => `  ${text}`)].join('\n')
}
