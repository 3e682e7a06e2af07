// Values that a statement takes, with their types: lists, and records as rows.
import { snakeCase } from '../shapes/cases.ts'
import type { Fragment, Sql } from './postgres.ts'
import { Template } from './template.ts'

export const uuids = (sql: Sql, ids: readonly string[]): Fragment => sql`${ids}::uuid[]`
export const texts = (sql: Sql, values: readonly string[]): Fragment => sql`${listOf(values.map(quoted))}::text[]`
export const integers = (sql: Sql, values: readonly number[]): Fragment => sql`${values}::integer[]`
export const json = (sql: Sql, value: unknown): Fragment => sql`${sql.json(value)}::jsonb`

export type ColumnType =
  | 'boolean'
  | 'bytea'
  | 'integer'
  | 'integer[]'
  | 'bigint'
  | 'double precision'
  | 'jsonb'
  | 'smallint'
  | 'text'
  | 'text[]'
  | 'timestamptz'
  | 'timestamptz[]'
  | 'uuid'
  | 'uuid[]'

/** The fields of a record that become columns, and the type of each. Columns are in snake_case. */
export type Columns<Item> = { readonly [Field in keyof Item]?: ColumnType }

/**
 * Records as rows of `from`, under an alias: `from ${rowsOf(sql, items, { id: 'uuid', dueAt: 'timestamptz' }, 'i')}`. A field
 * that a record lacks is null. Each column travels as one list, and each row takes its item of every list: for one record and
 * for a thousand this costs both processes less than JSON, or lists that Postgres unnests side by side.
 */
export function rowsOf<Item extends object>(
  sql: Sql,
  items: readonly Item[],
  columns: Columns<Item>,
  alias: string,
): Fragment {
  const lists = Object.entries<ColumnType>(columns as Record<string, ColumnType>).map(([field, type], nth) => {
    const written = items.map((item) => itemOf(item[field as keyof Item], type))
    if (type !== 'bytea') return listOf(written)
    return nth > 0 ? bytesOf(written) : listOf(written.map((hex) => hex || '""'))
  })
  // The list of the first column stands last in the text.
  const [first, ...others] = lists
  return sql`(${new Template(selectOf(columns as Record<string, ColumnType>), [...others, first])}) ${sql(alias)}`
}

const selects = new WeakMap<object, readonly string[]>()

/** The text around the lists. Callers with constant columns write it once. */
function selectOf(columns: Readonly<Record<string, ColumnType>>): readonly string[] {
  const known = selects.get(columns)
  if (known) return known
  const [first, ...others] = Object.entries(columns)
  const strings = [`select ${castOf('listed.item', first![1])} as "${snakeCase(first![0])}"`]
  for (const [field, type] of others) {
    const list = type === 'bytea' ? splitBytes : `?::${listType(type)}`
    const [before, after] = castOf(`(${list})[listed.nth]`, type).split('?')
    strings.push(`${strings.pop()}, ${before}`, `${after} as "${snakeCase(field)}"`)
  }
  // Behind the inner select Postgres expects ten rows of any list, so that it need not plan anew for each.
  strings.push(`${strings.pop()} from unnest((select `, `::${listType(first![1])})) with ordinality listed (item, nth)`)
  selects.set(columns, strings)
  return strings
}

const isList = (type: ColumnType): boolean => type.endsWith('[]')
/** A list of lists travels as texts, and so does one of bytes. */
const listType = (type: ColumnType): string => (isList(type) || type === 'bytea' ? 'text[]' : `${type}[]`)

function castOf(item: string, type: ColumnType): string {
  if (type === 'bytea') return `decode(${item}, 'hex')`
  return isList(type) ? `${item}::${type}` : item
}

/** A list as Postgres reads it. The door sends the text as it is. */
const listOf = (items: readonly string[]): string => `{${items.join(',')}}`

/** Bytes as one text, a comma after each: Postgres splits it in half the time that it takes to read a list. */
const bytesOf = (items: readonly string[]): string => items.map((item) => `${item},`).join('')
const splitBytes = "select string_to_array(?::text, ',', 'NULL')"

const special = /["\\]/
const quoted = (text: string): string => (special.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`)

const textOfDate = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** An item of such a list. */
function itemOf(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return 'NULL'
  switch (type) {
    case 'bytea':
      return (value as Buffer).toString('hex')
    case 'text':
      return quoted(String(value))
    case 'jsonb':
      return quoted(JSON.stringify(value))
    case 'text[]':
      return quoted(listOf((value as readonly string[]).map(quoted)))
    case 'integer[]':
    case 'uuid[]':
    case 'timestamptz[]':
      return quoted(listOf((value as readonly unknown[]).map(textOfDate)))
    default:
      return textOfDate(value)
  }
}
