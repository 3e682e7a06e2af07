import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../db.ts'

/**
 * What autovacuum, which is off in tests, does in time. The commits of the tests do not wait for the log, and a page whose
 * last commit is not in the log yet cannot be marked as visible to all: the checkpoint writes it. Nor can one that another
 * process holds at this moment: then once more.
 */
export async function vacuum(sql: Sql, ...tables: string[]): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    await sql`checkpoint`
    await sql`vacuum analyze ${sql(tables)}`
    const [row] = await sql`
      select bool_and(relallvisible >= relpages) as done from pg_class where relname = any (${tables as never}::text[])`
    if (row!.done) return
    await sleep(50)
  }
  throw new Error(`some pages of ${tables} stay hidden: a transaction that never ends?`)
}
