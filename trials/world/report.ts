// Results as people read them.

/** The first `textColumns` columns are set to the left, the others to the right. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], textColumns = 1): string {
  const lines = [titles, ...rows]
  const widths = titles.map((_, nth) => Math.max(...lines.map((line) => line[nth]!.length)))
  const setIn = (cell: string, nth: number) =>
    nth < textColumns ? cell.padEnd(widths[nth]!) : cell.padStart(widths[nth]!)
  return lines.map((line) => `  ${line.map(setIn).join('  ')}`.trimEnd()).join('\n')
}

/** NaN where there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
