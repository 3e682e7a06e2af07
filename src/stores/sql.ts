// Values that a statement takes, with their types: lists, and records as rows.
import { snakeCase } from '../shapes/cases.ts'
import type { Fragment, Sql } from './postgres.ts'

export const uuids = (sql: Sql, ids: readonly string[]): Fragment => sql`${ids}::uuid[]`
/** The driver sends the elements of a list as they are, so texts are quoted here. */
export const texts = (sql: Sql, values: readonly string[]): Fragment =>
  sql`${`{${values.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`}::text::text[]`
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

/** The fields of a record that become columns, and the type of each. Columns are in snake_case. */
type Columns<Item> = { readonly [Field in keyof Item]?: ColumnType }

/** Records as rows of `from`, under an alias: `from ${rowsOf(sql, items, { id: 'uuid', dueAt: 'timestamptz' }, 'i')}`. */
export function rowsOf<Item extends object>(
  sql: Sql,
  items: readonly Item[],
  columns: Columns<Item>,
  alias: string,
): Fragment {
  const fields = Object.entries(columns) as [keyof Item & string, ColumnType][]
  const rows = items.map((item) =>
    Object.fromEntries(fields.map(([field, type]) => [snakeCase(field), columnValue(item[field], type)])),
  )
  const declared = fields.map(
    ([field, type], nth) => sql`${nth === 0 ? sql`` : sql`, `}${sql(snakeCase(field))} ${types[type](sql)}`,
  )
  return sql`jsonb_to_recordset(${sql.json(rows)}) as ${sql(alias)} (${declared})`
}

/** Bytes travel in JSON as Postgres writes them: `\x` and hexadecimal. */
const columnValue = (value: unknown, type: ColumnType): unknown =>
  type === 'bytea' && Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value

const types: Record<ColumnType, (sql: Sql) => Fragment> = {
  boolean: (sql) => sql`boolean`,
  bytea: (sql) => sql`bytea`,
  integer: (sql) => sql`integer`,
  'integer[]': (sql) => sql`integer[]`,
  bigint: (sql) => sql`bigint`,
  'double precision': (sql) => sql`double precision`,
  jsonb: (sql) => sql`jsonb`,
  smallint: (sql) => sql`smallint`,
  text: (sql) => sql`text`,
  'text[]': (sql) => sql`text[]`,
  timestamptz: (sql) => sql`timestamptz`,
  'timestamptz[]': (sql) => sql`timestamptz[]`,
  uuid: (sql) => sql`uuid`,
}
