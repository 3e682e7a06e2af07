import type { Sql } from '../db.ts'

/**
 * What autovacuum, which is off in tests, does in time. The commits of the tests do not wait for the log, and a page whose
 * last commit is not in the log yet cannot be marked as visible to all: the checkpoint writes it.
 */
export async function vacuum(sql: Sql, ...tables: string[]): Promise<void> {
  await sql`checkpoint`
  await sql`vacuum analyze ${sql(tables)}`
}
