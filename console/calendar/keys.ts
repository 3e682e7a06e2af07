// Where the arrows lead in the calendar. Pure.

/** The things of a column, from its top: their keys, and when they begin. */
export type Column = readonly { key: string; at: number }[]

/** Where the focus goes from `key`; undefined for keys that lead nowhere. */
export function neighbour(columns: readonly Column[], key: string, pressed: string): string | undefined {
  const all = columns.flat()
  if (pressed === 'Home') return all[0]?.key
  if (pressed === 'End') return all.at(-1)?.key
  const at = columns.findIndex((column) => column.some((one) => one.key === key))
  if (at < 0) return pressed.startsWith('Arrow') ? all[0]?.key : undefined
  const column = columns[at]!
  const nth = column.findIndex((one) => one.key === key)
  if (pressed === 'ArrowUp') return column[nth - 1]?.key
  if (pressed === 'ArrowDown') return column[nth + 1]?.key
  if (pressed === 'ArrowRight') return nearest(columns.slice(at + 1), column[nth]!.at)
  if (pressed === 'ArrowLeft') return nearest(columns.slice(0, at).reverse(), column[nth]!.at)
  return undefined
}

/** In the next column that has anything, the thing that begins nearest. */
function nearest(columns: readonly Column[], at: number): string | undefined {
  const column = columns.find((one) => one.length > 0) ?? []
  return column.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]?.key
}
