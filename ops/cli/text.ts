// The answers of commands as text.

type Cell = string | number | boolean | null | undefined

const cellText = (cell: Cell) => (cell === null || cell === undefined || cell === '' ? '-' : String(cell))

/** Columns of numbers are set to the right. */
export function table(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [titles, ...rows.map((row) => row.map(cellText))]
  const widths = titles.map((_, nth) => Math.max(...texts.map((row) => row[nth]!.length)))
  const isNumber = titles.map((_, nth) => rows.length > 0 && rows.every((row) => typeof row[nth] === 'number'))
  return texts
    .map((row) =>
      row
        .map((cell, nth) => (isNumber[nth] ? cell.padStart(widths[nth]!) : cell.padEnd(widths[nth]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One line per field; nested fields are indented. */
export function record(fields: object, indent = ''): string {
  const entries = Object.entries(fields)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries
    .map(([name, value]) => {
      const isNested = value !== null && typeof value === 'object' && !Array.isArray(value)
      if (isNested && Object.keys(value).length > 0) return `${indent}${name}\n${record(value, `${indent}  `)}`
      const text = isNested ? '-' : cellText(Array.isArray(value) ? value.join(', ') : (value as Cell))
      return `${indent}${name.padEnd(width)}  ${text}`
    })
    .join('\n')
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}
