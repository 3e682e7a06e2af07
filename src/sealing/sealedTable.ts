// Sealing again, under the current key, what older keys sealed: block by block, while the service works. A value that changes
// in the meantime is left alone, because its writer has sealed it under the current key.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json } from '../stores/sql.ts'
import type { SealContext, Sealer } from './sealer.ts'

type Stores = { sql: Sql; sealer: Sealer }

/** The columns that identify rows and their sealed columns, with their types. */
const nameTypes = {
  ...({ org_id: 'uuid', id: 'uuid', seq: 'int8', change_id: 'uuid', position: 'int2' } as const),
  ...({
    calendar_id: 'uuid',
    destination_id: 'uuid',
    event_id: 'uuid',
    resource_id: 'uuid',
    starts_at: 'timestamptz',
  } as const),
}
type Name = keyof typeof nameTypes

/** The values of a row that identify its sealed columns: those that its table names. */
type Names = Readonly<
  Partial<
    Record<'org_id' | 'id' | 'calendar_id' | 'change_id' | 'destination_id' | 'event_id' | 'resource_id', Uuid> & {
      position: string
      starts_at: string | null
    }
  >
>

export type SealedTable = {
  name: string
  /** The primary key, in its order. */
  key: readonly Name[]
  /** Further columns that identify the sealed ones. */
  moreColumns?: readonly Name[]
  /** By sealed column: the context that its value is bound to, from the row's key and the columns beside it. */
  columns: Readonly<Record<string, (row: Names) => SealContext>>
}

type ResealedBlock = {
  /** The key of the block's last row; undefined: there was none. */
  last: string[] | undefined
  seen: number
  resealed: number
  /** The values that could not be opened, and why. */
  unreadable: { context: SealContext; reason: string }[]
}

/** The next `size` rows after the key `after`. */
export async function resealBlock(
  app: Stores,
  table: SealedTable,
  after: readonly string[] | undefined,
  size: number,
): Promise<ResealedBlock> {
  const rows = await readBlock(app, table, after, size)
  const last = rows.at(-1)
  const block: ResealedBlock = {
    last: last && table.key.map((name) => last.names[name]!),
    seen: rows.length,
    resealed: 0,
    unreadable: [],
  }
  const changes = rows.flatMap((row) => resealRow(app, table, row, block.unreadable))
  if (changes.length > 0) block.resealed = (await writeBlock(app, table, changes)).count
  return block
}

type Row = {
  /** The key and the columns beside it, as texts, by column. */
  names: Record<string, string>
  /** By sealed column, in base64: null where the current key sealed the value, or the value is null. */
  sealed: Record<string, string | null>
}

const readBlock = ({ sql, sealer }: Stores, table: SealedTable, after: readonly string[] | undefined, size: number) => {
  const key = commaList(
    sql,
    table.key.map((name) => sql`${sql(name)}`),
  )
  const names = [...table.key, ...(table.moreColumns ?? [])].map((name) => sql`${name}::text, ${sql(name)}::text`)
  const sealed = Object.keys(table.columns).map(
    (name) => sql`
      ${name}::text,
      case when substr(${sql(name)}, 1, ${sealer.header.length}::integer) <> ${sealer.header}::bytea
        then encode(${sql(name)}, 'base64') end`,
  )
  const afterKey = commaList(
    sql,
    (after ?? []).map((part, nth) => cast(sql, part, table.key[nth]!)),
  )
  return sql<Row[]>`
    select
      jsonb_build_object(${commaList(sql, names)}) as names,
      jsonb_build_object(${commaList(sql, sealed)}) as sealed
    from ${sql(table.name)}
    ${after ? sql`where (${key}) > (${afterKey})` : sql``}
    order by ${key}
    limit ${size}`
}

/** A row to write: `before` and `after` hold its sealed columns, in base64, old and new. */
type Change = { names: Record<string, string>; before: Record<string, string>; after: Record<string, string> }

function resealRow(
  { sealer }: Stores,
  table: SealedTable,
  { names, sealed }: Row,
  unreadable: ResealedBlock['unreadable'],
): Change[] {
  const change: Change = { names, before: {}, after: {} }
  for (const [column, contextOf] of Object.entries(table.columns)) {
    const before = sealed[column]
    if (!before) continue
    const context = contextOf(names as Names)
    try {
      const text = sealer.unseal(context, Buffer.from(before, 'base64'))
      change.after[column] = sealer.seal(context, text).toString('base64')
      change.before[column] = before
    } catch (error) {
      unreadable.push({ context, reason: (error as Error).message })
    }
  }
  return Object.keys(change.after).length > 0 ? [change] : []
}

/** A row is written whole or not at all: only if none of its values changed since it was read. */
function writeBlock({ sql }: Stores, table: SealedTable, changes: readonly Change[]) {
  const columns = Object.keys(table.columns)
  const assignments = columns.map(
    (name) => sql`${sql(name)} = coalesce(decode(c.after ->> ${name}::text, 'base64'), t.${sql(name)})`,
  )
  const isSameRow = table.key.map(
    (name) => sql` and t.${sql(name)} = ${cast(sql, sql`(c.names ->> ${name}::text)`, name)}`,
  )
  const isUnchanged = columns.map(
    (name) => sql`
      and (c.before ->> ${name}::text is null or t.${sql(name)} = decode(c.before ->> ${name}::text, 'base64'))`,
  )
  return sql`
    update ${sql(table.name)} t
    set ${commaList(sql, assignments)}
    from jsonb_to_recordset(${json(sql, changes)}) as c (names jsonb, before jsonb, after jsonb)
    where true ${isSameRow} ${isUnchanged}`
}

/** A text as a value of the column. */
const cast = (sql: Sql, text: string | Fragment, name: Name): Fragment => sql`${text}::${sql(nameTypes[name])}`

const commaList = (sql: Sql, items: readonly Fragment[]): Fragment =>
  sql`${items.map((item, nth) => (nth === 0 ? item : sql`, ${item}`))}`

type KeyUse = { table: string; column: string; key: string; count: number }

/** How many values each key sealed. Reads the whole table. */
export async function keysInUse({ sql }: Stores, table: SealedTable): Promise<KeyUse[]> {
  const uses = Object.keys(table.columns).map(async (column) => {
    // The layout of a sealed value (sealer.ts): the length of the key's id, then the id.
    const rows = await sql<{ key: string; count: number }[]>`
      select
        convert_from(substr(${sql(column)}, 2, get_byte(${sql(column)}, 0)), 'UTF8') as key,
        count(*)::integer as count
      from ${sql(table.name)}
      where ${sql(column)} is not null
      group by 1
      order by 1`
    return rows.map((row) => ({ table: table.name, column, ...row }))
  })
  return (await Promise.all(uses)).flat()
}
