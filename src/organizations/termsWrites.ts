// Writes `terms_publications` and `terms_acceptances`.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { TermsRow } from './termsQueries.ts'

export const insertPublication = (sql: Sql, row: Omit<TermsRow, 'nth'>, now: Date): Fragment => sql`
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

/** For the organization whose `id` the guard returned. */
export const insertAcceptance = (sql: Sql, row: AcceptanceRow): Effect =>
  effect(
    'acceptance',
    sql`
    insert into terms_acceptances (id, org_id, version, document_hash, source, ip, user_agent, accepted_at)
    select
      ${row.id}::uuid, ${guard}.id, ${row.version}::text, ${row.documentHash}::bytea,
      ${row.source}::text, ${row.ip}::text, ${row.userAgent}::text, ${row.acceptedAt}::timestamptz
    from ${guard}`,
  )
