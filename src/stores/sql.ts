// Values that a statement takes, with their types: lists, and records as rows.
import { snakeCase } from '../shapes/cases.ts'
import type { Fragment, Sql } from './postgres.ts'
import { Template } from './template.ts'

export const uuids = (sql: Sql, ids: readonly string[]): Fragment => sql`${ids}::uuid[]`
export const texts = (sql: Sql, values: readonly string[]): Fragment => sql`${listOf(values, quoted)}::text[]`
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
  const lists = Object.entries<ColumnType>(columns as Record<string, ColumnType>).map(([field, type]) =>
    listOf(items, (item) => itemOf(item[field as keyof Item], type)),
  )
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
  const strings = [`select listed.item${castOf(first![1])} as "${snakeCase(first![0])}"`]
  for (const [field, type] of others) {
    strings.push(`${strings.pop()}, (`, `::${listType(type)})[listed.nth]${castOf(type)} as "${snakeCase(field)}"`)
  }
  // Behind the inner select Postgres expects ten rows of any list, so that it need not plan anew for each.
  strings.push(`${strings.pop()} from unnest((select `, `::${listType(first![1])})) with ordinality listed (item, nth)`)
  selects.set(columns, strings)
  return strings
}

const isList = (type: ColumnType): boolean => type.endsWith('[]')
/** A list of lists travels as texts. */
const listType = (type: ColumnType): string => (isList(type) ? 'text[]' : `${type}[]`)
const castOf = (type: ColumnType): string => (isList(type) ? `::${type}` : '')

/** A list as Postgres reads it. The door sends the text as it is. */
const listOf = <Item>(items: readonly Item[], textOf: (item: Item) => string): string =>
  `{${items.map(textOf).join(',')}}`

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

const textOfDate = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** An item of such a list. */
function itemOf(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return 'NULL'
  switch (type) {
    case 'bytea':
      return `\\\\x${(value as Buffer).toString('hex')}`
    case 'text':
      return quoted(String(value))
    case 'jsonb':
      return quoted(JSON.stringify(value))
    case 'text[]':
      return quoted(listOf(value as readonly string[], quoted))
    case 'integer[]':
    case 'uuid[]':
    case 'timestamptz[]':
      return quoted(listOf(value as readonly unknown[], textOfDate))
    default:
      return textOfDate(value)
  }
}
