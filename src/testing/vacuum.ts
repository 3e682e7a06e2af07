import type { Sql } from '../stores/postgres.ts'

/**
 * Does the work of autovacuum, which is off in tests. The commits of the tests do not wait for the log, and a page whose last
 * commit is not in the log yet cannot be marked as visible to all: the checkpoint writes it. Nor can one that another process
 * holds at this moment: the next pass marks it, until one finds nothing more.
 */
export async function vacuum(sql: Sql, ...tables: string[]): Promise<void> {
  for (let visible = -1, before = -2; visible > before; ) {
    before = visible
    await sql`checkpoint`
    await sql`vacuum analyze ${sql(tables)}`
    const [row] = await sql`
      select sum(relallvisible)::integer as visible
      from pg_class c
      where relname = any (${tables}::text[])
        or relispartition and pg_partition_root(c.oid)::text = any (${tables}::text[])`
    visible = row!.visible
  }
}
