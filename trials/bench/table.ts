// The table of results.
import { median, table } from '../world/report.ts'
import { isMet, type Row } from './figures.ts'

const ratio = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2))

const columns: readonly [title: string, cell: (row: Row) => string][] = [
  ['bench', ({ bench }) => bench],
  ['figure', ({ name }) => name],
  ['ours', ({ ours }) => ours],
  ['baseline', ({ baseline }) => baseline],
  ['ratio', ({ ratios }) => ratio(median(ratios))],
  ['lowest … highest', ({ ratios }) => `${ratio(Math.min(...ratios))} … ${ratio(Math.max(...ratios))}`],
  ['target', ({ target }) => ('atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`)],
  ['', (row) => (isMet(row) ? 'met' : 'MISSED')],
]
const textColumns = 2

export const tableOf = (rows: readonly Row[]): string =>
  table(
    columns.map(([title]) => title),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
    textColumns,
  )
