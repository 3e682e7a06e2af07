// The table of results, for the terminal and for a page.
import { median, table } from '../world/report.ts'
import { type Row, verdictOf } from './figures.ts'

const ratio = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2))
const spread = (ratios: readonly number[]) => `${ratio(Math.min(...ratios))} … ${ratio(Math.max(...ratios))}`

function targetOf({ target }: Row): string {
  const bound = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`
  const aim = target.aim === undefined ? '' : `, aim ${target.aim}`
  return `${target.of === 'cpu' ? 'CPU ' : ''}${bound}${aim}`
}

const shownVerdict = (row: Row): string => verdictOf(row)?.replace('missed', 'MISSED') ?? '–'

const columns: readonly [title: string, cell: (row: Row) => string][] = [
  ['bench', ({ bench }) => bench],
  ['figure', ({ name }) => name],
  ['ours', ({ ours }) => ours],
  ['baseline', ({ baseline }) => baseline],
  ['ratio', ({ ratios }) => ratio(median(ratios))],
  ['lowest … highest', ({ ratios }) => spread(ratios)],
  ['CPU ours', ({ cpu }) => cpu?.ours ?? '–'],
  ['CPU baseline', ({ cpu }) => cpu?.baseline ?? '–'],
  ['CPU ratio', ({ cpu }) => (cpu ? ratio(median(cpu.ratios)) : '–')],
  ['lowest … highest', ({ cpu }) => (cpu ? spread(cpu.ratios) : '–')],
  ['target', targetOf],
  ['', shownVerdict],
]
const textColumns = 2

const titles = columns.map(([title]) => title)
const cellsOf = (row: Row) => columns.map(([, cell]) => cell(row))

export const tableOf = (rows: readonly Row[]): string => table(titles, rows.map(cellsOf), textColumns)

/** As Markdown. */
export function markdownTableOf(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  // Aligned columns would need styles in the page of the site.
  const rule = titles.map(() => '---')
  return [line(titles), line(rule), ...rows.map((row) => line(cellsOf(row)))].join('\n')
}
