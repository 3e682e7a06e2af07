import type { Fragment, Sql } from '../stores/postgres.ts'

export type TermsRow = { nth: number; version: string; effectiveAt: string; url: string; material: boolean }

export const lastPublication = (sql: Sql) => sql<TermsRow[]>`
  select nth, version, effective_at, url, material
  from terms_publications
  order by nth desc
  limit 1`

/** A condition: the version is the one published last. */
export const isCurrentVersion = (sql: Sql, version: string): Fragment => sql`
  ${version} = (select version from terms_publications order by nth desc limit 1)`
