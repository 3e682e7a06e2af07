// Answers as people read them: a record as lines, a list as a table.
import { clean, cleanJson, cleanLine } from './clean.ts'

const maxColumns = 7
const maxCell = 80
/** The most important fields, first. */
const first = [
  'id',
  'name',
  'title',
  'label',
  'type',
  'status',
  'when',
  'startTime',
  'endTime',
  'start',
  'end',
  'start_time',
  'end_time',
]
const last = ['orgId', 'org_id', 'metadata', 'updatedAt', 'updated_at', 'deletedAt', 'createdAt', 'created_at']

type Item = Record<string, unknown>

/** Undefined if there is nothing to say. */
export function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') return clean(String(value))
  if (Array.isArray(value)) return tableOf(value)
  const list = listIn(value as Item)
  return list ? tableOf(list) : recordOf(value as Item)
}

/** Of a page; `keys` and `plans` are lists without pages. */
export function listIn(value: Item): unknown[] | undefined {
  if (Array.isArray(value.data)) return value.data
  const names = Object.keys(value)
  const only = names.length === 1 ? value[names[0]!] : undefined
  return Array.isArray(only) ? only : undefined
}

function recordOf(record: Item): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length), 0)
  return Object.entries(record)
    .map(([name, value]) => `${cleanLine(name).padEnd(width)}  ${blockOf(value, width + 2)}`.trimEnd())
    .join('\n')
}

function blockOf(value: unknown, indent: number): string {
  const text = typeof value === 'string' ? clean(value) : isFlat(value) ? cellOf(value) : cleanJson(value)
  return text.replaceAll('\n', `\n${' '.repeat(indent)}`)
}

const isFlat = (value: unknown) =>
  typeof value !== 'object' || value === null || (Array.isArray(value) && value.every((one) => typeof one !== 'object'))

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object')
    return Array.isArray(value) && isFlat(value) ? cleanLine(value.join(', ')) : cleanLine(JSON.stringify(value))
  return cleanLine(String(value))
}

function tableOf(items: readonly unknown[]): string {
  if (items.length === 0) return 'Nothing there.'
  if (items.some((item) => typeof item !== 'object' || item === null))
    return items.map((item) => cellOf(item)).join('\n')
  const shown = (items as Item[]).map(withWallClock)
  const columns = columnsOf(shown)
  const rows = [columns.map(cleanLine), ...shown.map((item) => columns.map((name) => cut(cellOf(item[name]))))]
  const widths = columns.map((_, nth) => Math.max(...rows.map((row) => row[nth]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, nth) => cell.padEnd(widths[nth]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** With --view local a line has its time in words, in the place of both times in UTC. */
function withWallClock(item: Item): Item {
  const { text } = (item.local ?? {}) as { text?: unknown }
  if (typeof text !== 'string') return item
  const { startTime: _start, endTime: _end, start: _from, end: _to, start_time: _s, end_time: _e, ...rest } = item
  return { ...rest, when: text }
}

/** Fields with values, the most important first. Objects are shown only in single records and with --json. */
function columnsOf(items: readonly Item[]): string[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) =>
    items.some((item) => item[name] !== null && item[name] !== undefined && isFlat(item[name])),
  )
  const rank = (name: string) => {
    if (first.includes(name)) return first.indexOf(name)
    return last.includes(name) ? 200 + last.indexOf(name) : 100
  }
  return names.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxColumns)
}

/** Identifiers are never cut: people copy them. */
const cut = (text: string) => (text.length > maxCell && text.includes(' ') ? `${text.slice(0, maxCell - 1)}…` : text)
