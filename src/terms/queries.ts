import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export type TermsRow = { nth: number; version: string; effectiveAt: string; url: string; material: boolean }

export const lastPublication = (sql: Sql) => sql<TermsRow[]>`
  select nth, version, effective_at, url, material from terms_publications order by nth desc limit 1`

export const insertPublication = (sql: Sql, row: Omit<TermsRow, 'nth'>, now: Date) => sql<{ nth: number }[]>`
  insert into terms_publications (version, effective_at, url, material, published_at)
  values (${row.version}, ${row.effectiveAt}, ${row.url}, ${row.material}, ${now})
  returning nth`

type AcceptanceRow = {
  id: Uuid
  version: string
  documentHash: Buffer
  source: string
  ip: string | null
  userAgent: string | null
  acceptedAt: Date
}

/** For the organization that the guard returned as `id`. */
export const insertAcceptance = (sql: Sql, row: AcceptanceRow): Fragment => sql`
  insert into terms_acceptances (id, org_id, version, document_hash, source, ip, user_agent, accepted_at)
  select ${row.id}::uuid, guard.id, ${row.version}::text, ${row.documentHash}::bytea, ${row.source}::text,
    ${row.ip}::text, ${row.userAgent}::text, ${row.acceptedAt}::timestamptz
  from guard`

export type Accepter = { id: Uuid; revision?: number }

export const organizationAccepts = (sql: Sql, { id, revision }: Accepter, version: string, now: Date): Fragment => sql`
  update organizations set accepted_terms_version = ${version}, accepted_terms_at = ${now}, updated_at = ${now},
    revision = revision + 1
  where id = ${id} ${revision === undefined ? sql`` : sql`and revision = ${revision}`}
    and ${version} = (select version from terms_publications order by nth desc limit 1)
  returning id`
