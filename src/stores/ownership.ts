// The last look at what Postgres answered: rows count only if they are what was asked for. The door keeps answers and
// statements together; this catches whatever it could not, before anybody sees it or acts on it.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from './postgres.ts'

/** A statement whose rows must fit the question. */
export const answersTo =
  <Row>(sql: Sql, isAskedFor: (row: Row) => boolean) =>
  (template: TemplateStringsArray, ...values: readonly unknown[]) =>
    sql<Row[]>(template, ...values).answering(isAskedFor)

/** A statement about one organization: each row is compared, by its column `org_id`, with the organization that asked. */
export const own = <Row extends object>(sql: Sql, orgId: Uuid) =>
  answersTo<Row>(sql, (row) => 'orgId' in row && row.orgId === orgId)

/** Fits the rows of these identifiers, of whatever organizations: UUIDs are of one row alone. */
export function isOneOf(ids: readonly Uuid[]): (row: { id: Uuid }) => boolean {
  const asked = new Set(ids)
  return ({ id }) => asked.has(id)
}

/** The organization that asked, as the column of an answer that has no rows of its own: a count, or one text of many rows. */
export const askedBy = (sql: Sql, orgId: Uuid): Fragment => sql`${orgId}::uuid as org_id`
