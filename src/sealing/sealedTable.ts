// Sealing anew what an older key sealed, block by block, while the service works: a value that changes meanwhile is left
// alone, its writer has sealed it already.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { Place, Sealer } from './sealer.ts'

type Stores = { sql: Sql; sealer: Sealer }

/** What names a place; of a row those that its table says. */
type Names = Readonly<Partial<Record<'org_id' | 'id' | 'change_id', Uuid> & { position: string }>>

export type SealedTable = {
  name: string
  /** The primary key, in its order: columns of the type uuid. */
  key: readonly ('org_id' | 'id')[]
  /** Further columns that name a place. */
  beside?: readonly ('change_id' | 'position')[]
  /** The place of each sealed column's value, from the row's key and what stands beside it. */
  columns: Readonly<Record<string, (row: Names) => Place>>
}

type ResealedBlock = {
  /** The key of the block's last row; undefined: there was none. */
  last: string[] | undefined
  seen: number
  resealed: number
  /** Why a value could not be opened, by the place it stands in. */
  unreadable: { place: Place; reason: string }[]
}

/** `sealed_0`, `sealed_1`, …: null where the first key sealed the value, or there is none. */
type Row = Record<`key${number}` | `beside${number}`, string> & Record<`sealed${number}`, Buffer | null>

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
    last: last && table.key.map((_, nth) => last[`key${nth}`]!),
    seen: rows.length,
    resealed: 0,
    unreadable: [],
  }
  const changes = rows.flatMap((row) => resealRow(app, table, row, block))
  if (changes.length > 0) block.resealed = (await writeBlock(app, table, changes)).count
  return block
}

const joined = ({ sql }: Stores, items: readonly Fragment[], separator: Fragment): Fragment =>
  sql`${items.map((item, nth) => (nth === 0 ? item : sql`${separator}${item}`))}`

const listed = (app: Stores, items: readonly Fragment[]) => joined(app, items, app.sql`, `)

const readBlock = (app: Stores, table: SealedTable, after: readonly string[] | undefined, size: number) => {
  const { sql, sealer } = app
  const key = listed(
    app,
    table.key.map((name) => sql`${sql(name)}`),
  )
  const columns = [
    ...table.key.map((name, nth) => sql`${sql(name)}::text as ${sql(`key_${nth}`)}`),
    ...(table.beside ?? []).map((name, nth) => sql`${sql(name)}::text as ${sql(`beside_${nth}`)}`),
    ...Object.keys(table.columns).map(
      (name, nth) => sql`
        case when substr(${sql(name)}, 1, ${sealer.header.length}::integer) <> ${sealer.header}::bytea then ${sql(name)} end
          as ${sql(`sealed_${nth}`)}`,
    ),
  ]
  const begin = after
    ? sql`where (${key}) > (${listed(
        app,
        after.map((part) => sql`${part}::uuid`),
      )})`
    : sql``
  return sql<Row[]>`select ${listed(app, columns)} from ${sql(table.name)} ${begin} order by ${key} limit ${size}`
}

/** `o0` is the value as it was read, `n0` the same sealed anew, of the first column; and so on. */
type Change = Record<string, string>

function resealRow({ sealer }: Stores, table: SealedTable, row: Row, { unreadable }: ResealedBlock): Change[] {
  const names: Record<string, string> = {}
  for (const [nth, name] of table.key.entries()) names[name] = row[`key${nth}`]!
  for (const [nth, name] of (table.beside ?? []).entries()) names[name] = row[`beside${nth}`]!
  const change: Change = {}
  for (const [nth, placeOf] of Object.values(table.columns).entries()) {
    const sealed = row[`sealed${nth}`]
    if (!sealed) continue
    const place = placeOf(names as Names)
    try {
      change[`n${nth}`] = sealer.seal(place, sealer.unseal(place, sealed)).toString('base64')
      change[`o${nth}`] = sealed.toString('base64')
    } catch (error) {
      unreadable.push({ place, reason: (error as Error).message })
    }
  }
  if (Object.keys(change).length === 0) return []
  for (const nth of table.key.keys()) change[`k${nth}`] = row[`key${nth}`]!
  return [change]
}

function writeBlock(app: Stores, table: SealedTable, changes: readonly Change[]) {
  const { sql } = app
  const keys = table.key.map((name, nth) => ({ name: sql(name), k: sql(`k${nth}`) }))
  const values = Object.keys(table.columns).map((name, nth) => ({
    name: sql(name),
    o: sql(`o${nth}`),
    n: sql(`n${nth}`),
  }))
  const and = sql` and `
  return sql`
    update ${sql(table.name)} t set ${listed(
      app,
      values.map(({ name, n }) => sql`${name} = coalesce(decode(c.${n}, 'base64'), t.${name})`),
    )}
    from jsonb_to_recordset(${sql.json(changes)}) as c (${listed(app, [
      ...keys.map(({ k }) => sql`${k} uuid`),
      ...values.flatMap(({ o, n }) => [sql`${o} text`, sql`${n} text`]),
    ])})
    where ${joined(
      app,
      keys.map(({ name, k }) => sql`t.${name} = c.${k}`),
      and,
    )} and ${joined(
      app,
      values.map(({ name, o }) => sql`(c.${o} is null or t.${name} = decode(c.${o}, 'base64'))`),
      and,
    )}`
}

type KeyUse = { table: string; column: string; key: string; count: number }

/** How many values each key sealed. Reads the whole table. */
export async function keysInUse(app: Stores, table: SealedTable): Promise<KeyUse[]> {
  const { sql } = app
  const uses = Object.keys(table.columns).map(async (column) => {
    const rows = await sql<{ key: string; count: number }[]>`
      select convert_from(substr(${sql(column)}, 2, get_byte(${sql(column)}, 0)), 'UTF8') as key, count(*)::integer as count
      from ${sql(table.name)} where ${sql(column)} is not null group by 1 order by 1`
    return rows.map((row) => ({ table: table.name, column, ...row }))
  })
  return (await Promise.all(uses)).flat()
}
