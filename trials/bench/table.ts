// The result as people read it.
import { isMet, median, type Row } from './figures.ts'

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

export function table(rows: readonly Row[]): string {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]
  const widths = columns.map((_, nth) => Math.max(...cells.map((line) => line[nth]!.length)))
  return cells
    .map((line) =>
      line.map((cell, nth) => (nth < textColumns ? cell.padEnd(widths[nth]!) : cell.padStart(widths[nth]!))),
    )
    .map((line) => `  ${line.join('  ')}`.trimEnd())
    .join('\n')
}
