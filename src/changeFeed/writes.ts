import type { Sql } from '../stores/postgres.ts'

export const newIncarnation = (sql: Sql) => sql`
  update feed_incarnation
  set incarnation = gen_random_uuid(), since = app_now()`
