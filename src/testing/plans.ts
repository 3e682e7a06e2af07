// The work of Postgres for a statement as the service sends it. A prepared statement belongs to one server connection, so it is
// asked past any pooler, over a single connection.
import { type App, openApp } from '../app.ts'
import type { Fragment } from '../stores/postgres.ts'
import { compile, Json } from '../stores/template.ts'
import { directly, type TestService } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: Postgres' own form
type Plan = any

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const child of plan.Plans ?? []) yield* nodesOf(child)
}

/** The service's own database over one connection, for `readOf`. */
export const openSingleConnection = ({ app, clock }: TestService): App =>
  openApp(
    { ...app.config, databaseUrl: directly(app.config.databaseUrl) },
    { name: 'one connection', connections: 1, clock },
  )

/** The type that the driver names for a value; what the others are follows from the statement. */
const typeOf = (value: unknown) => {
  if (value instanceof Date) return 'timestamptz'
  if (value instanceof Uint8Array) return 'bytea'
  if (value instanceof Json) return 'jsonb'
  return typeof value === 'boolean' ? 'boolean' : 'unknown'
}

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Json) return JSON.stringify(value.content)
  return Array.isArray(value) ? `{${value.map(textOf).join(',')}}` : String(value)
}

const literal = (value: unknown) => (value === null ? 'null' : `'${textOf(value).replaceAll("'", "''")}'`)

const listed = (items: string[]) => (items.length > 0 ? `(${items.join(', ')})` : '')

/** Runs the statement of an app of `openSingleConnection`, and then once more for what each node of its plan read. */
async function planOf({ sql }: App, query: PromiseLike<unknown>, mode: 'custom' | 'generic'): Promise<Plan> {
  await sql.unsafe(`set plan_cache_mode = force_${mode}_plan`)
  await query
  const { text, values } = compile(query as unknown as Fragment)
  await sql.unsafe(`prepare looked_at ${listed(values.map(typeOf))} as ${text}`)
  const execute = `execute looked_at ${listed(values.map(literal))}`
  const [row] = await sql.unsafe(`explain (analyze, buffers, timing off, format json) ${execute}`)
  await sql.unsafe('deallocate looked_at')
  return (Object.values(row as Plan)[0] as Plan)[0].Plan
}

/**
 * The reads of a table, its partitions included, by a statement of an app of `openSingleConnection`: its rows, those thrown away included, rows taken
 * from an index alone, the indexes that they came from (or how else), and pages of anything.
 */
export async function readOf(app: App, query: PromiseLike<unknown>, mode: 'custom' | 'generic', table: string) {
  const plan = await planOf(app, query, mode)
  const nodes = [...nodesOf(plan)]
  const isOfTable = (name?: string) => name === table || name?.startsWith(`${table}_`)
  const scans = nodes.filter((node) => isOfTable(node['Relation Name']))
  const bitmaps = nodes.filter((node) => node['Node Type'] === 'Bitmap Index Scan')
  const rowsOf = (node: Plan) =>
    Math.round(
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
        node['Actual Loops'],
    )
  const isIndexOnly = (node: Plan) => node['Node Type'] === 'Index Only Scan' && node['Heap Fetches'] === 0
  const sum = (some: Plan[]) => some.reduce((total, node) => total + rowsOf(node), 0)
  return {
    rows: sum(scans.filter((node) => !isIndexOnly(node))),
    indexRows: sum(scans.filter(isIndexOnly)),
    indexes: [...new Set([...scans, ...bitmaps].map((node) => node['Index Name'] ?? node['Node Type']))],
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    plan: JSON.stringify(plan, null, 1),
  }
}
