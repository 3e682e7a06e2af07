// The last check of Postgres' answers: rows count only if they were asked for. The door keeps answers and statements together;
// this catches a mistake there, before anybody sees it or acts on it.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from './postgres.ts'

/** A statement all of whose rows must satisfy `isAskedFor`. */
export const answersTo =
  <Row>(sql: Sql, isAskedFor: (row: Row) => boolean) =>
  (template: TemplateStringsArray, ...values: readonly unknown[]) =>
    sql<Row[]>(template, ...values).answering(isAskedFor)

/** A statement about one organization: each row is compared, by its column `org_id`, with the organization that asked. */
export const own = <Row extends object>(sql: Sql, orgId: Uuid) =>
  answersTo<Row>(sql, (row) => 'orgId' in row && row.orgId === orgId)

/** Accepts the rows with these identifiers, of any organization: a UUID belongs to one row alone. */
export function isOneOf(ids: readonly Uuid[]): (row: { id: Uuid }) => boolean {
  const asked = new Set(ids)
  return ({ id }) => asked.has(id)
}

/** The organization that asked, as a column for answers that are not rows of a table, for example counts. */
export const askedBy = (sql: Sql, orgId: Uuid): Fragment => sql`${orgId}::uuid as org_id`
