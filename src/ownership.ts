// The last look at what Postgres answered: rows count only if they are what was asked for. The door keeps answers and
// statements together; this catches whatever it could not, before anybody sees it or acts on it.
import { distrust, type Fragment, type Sql } from './db.ts'
import { overloaded } from './errors.ts'

/**
 * The rows of one answer, each of which must fit the question. One that does not belongs to another statement: its connection
 * is closed, and the caller gets 503.
 */
export function requireAsked<Row extends object>(rows: Row[], isAskedFor: (row: Row) => boolean): Row[] {
  if (rows.every(isAskedFor)) return rows
  distrust(rows)
  throw overloaded('The database answered another question. That answer was discarded: read before you repeat a write.')
}

type Question<Row extends object> = (template: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>

/** A statement whose rows must fit the question. */
export const answersTo =
  <Row extends object>(sql: Sql, isAskedFor: (row: Row) => boolean): Question<Row> =>
  async (template, ...values) =>
    requireAsked<Row>(await sql<Row[]>(template, ...(values as never[])), isAskedFor)

/** A statement about one organization: each row is compared, by its column `org_id`, with the organization that asked. */
export const own = <Row extends object>(sql: Sql, orgId: string): Question<Row> =>
  answersTo<Row>(sql, (row) => 'orgId' in row && row.orgId === orgId)

/** Fits the rows of these identifiers, of whatever organizations: UUIDs are of one row alone. */
export function isOneOf(ids: readonly string[]): (row: { id: string }) => boolean {
  const asked = new Set(ids)
  return ({ id }) => asked.has(id)
}

/** The organization that asked, as the column of an answer that has no rows of its own: a count, or one text of many rows. */
export const askedBy = (sql: Sql, orgId: string): Fragment => sql`${orgId}::uuid as org_id`
