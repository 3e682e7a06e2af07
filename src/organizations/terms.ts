// The terms of service: which are current, who publishes them, and who accepted them and how.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import type { Effect } from '../commit/effect.ts'
import { termsStale } from '../errors.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { sha256 } from '../sealing/sealer.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rememberTerms } from './currentTerms.ts'
import { isCurrentVersion, lastPublication, type TermsRow } from './termsQueries.ts'
import type { AcceptTermsBody, PublishTermsBody } from './termsSchema.ts'
import { insertAcceptance, insertPublication } from './termsWrites.ts'
import { acceptTermsGuard } from './writes.ts'

export type Terms = TermsRow

const presentTerms = ({ version, effectiveAt, url, material }: Omit<Terms, 'nth'>) => ({
  version,
  effective_at: effectiveAt,
  url,
  material,
})

/** There are always terms: the database is created with a first version. */
async function requireTerms(app: App): Promise<Terms> {
  const [row] = await lastPublication(app.sql)
  if (!row) throw new Error('no terms were ever published')
  return row
}

export const currentTerms = async (app: App) => presentTerms(await requireTerms(app))

/** In force at once. Publishing an earlier version again puts it into force, with these texts. */
export async function publishTerms(app: App, request: RequestContext, body: PublishTermsBody) {
  const row = { version: body.version, effectiveAt: body.effective_at, url: body.url, material: body.material }
  const answer = presentTerms(row)
  const { rows } = await commit<{ nth: number }>(app, {
    guard: insertPublication(app.sql, row, app.clock.now()),
    effects: [storeResponse(app, { request }, answer)],
  })
  rememberTerms(app, { ...row, nth: rows[0]!.nth })
  return answer
}

/** The terms of a version that somebody accepts; throws `tos_version_stale` if it is not the current one. */
export async function requireCurrentTerms(app: App, version: string): Promise<Terms> {
  const terms = await requireTerms(app)
  if (terms.version !== version) throw termsStale(terms.version)
  return terms
}

type Acceptance = { source: 'console' | 'oauth' | 'agent' | 'waitlist' | 'key'; request: RequestContext; now: Date }

/**
 * Records an acceptance of the organization whose `id` the guard returned. The document is named by the hash of the manifest
 * that was shown, which holds the document's archived address.
 */
export const recordAcceptance = ({ sql }: App, terms: Terms, { source, request, now }: Acceptance): Effect =>
  insertAcceptance(sql, {
    id: newId(),
    version: terms.version,
    documentHash: sha256(JSON.stringify(presentTerms(terms))),
    source,
    ip: request.ip,
    userAgent: request.userAgent?.slice(0, 1_000) ?? null,
    acceptedAt: now,
  })

/**
 * Matches if these terms are still current and, where its revision is given, the organization has not changed since it was
 * read.
 */
export const acceptanceGuard = (
  { sql }: App,
  organization: { id: Uuid; revision?: number },
  { version }: Terms,
  now: Date,
): Fragment => acceptTermsGuard(sql, organization, version, now, isCurrentVersion(sql, version))

export async function acceptTerms(app: App, actor: Actor, body: AcceptTermsBody) {
  const now = app.clock.now()
  const { orgId, request } = actor
  const terms = await requireCurrentTerms(app, body.tos_version)
  const answer = { data: { accepted_terms_version: terms.version, accepted_terms_at: isoTime(now) } }
  const { matched } = await commit(app, {
    guard: acceptanceGuard(app, { id: orgId }, terms, now),
    effects: [
      recordAcceptance(app, terms, { source: actor.sessionId ? 'console' : 'key', request, now }),
      auditEntry(app, actor, 'org.update', encodeId('org', orgId)),
      storeResponse(app, actor, answer),
    ],
  })
  // Other terms have been published since.
  if (!matched) throw termsStale((await requireTerms(app)).version)
  await bumpEpoch(app, orgId)
  return answer
}
