// The terms of service: which are current, who publishes them, who accepted them and how.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { termsStale } from '../errors.ts'
import { bumpEpoch } from '../quotas/epoch.ts'
import { sha256 } from '../sealing/sealer.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId, newId } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rememberTerms } from './current.ts'
import {
  type Accepter,
  insertAcceptance,
  insertPublication,
  lastPublication,
  organizationAccepts,
  type TermsRow,
} from './queries.ts'
import type { AcceptTermsBody, PublishTermsBody } from './schema.ts'

const presentTerms = ({ version, effectiveAt, url, material }: TermsRow) => ({
  version,
  effective_at: effectiveAt,
  url,
  material,
})

/** There always are some: the first version comes with the database. */
async function requireTerms(app: App): Promise<TermsRow> {
  const [row] = await lastPublication(app.sql)
  if (!row) throw new Error('no terms were ever published')
  return row
}

export const currentTerms = async (app: App) => presentTerms(await requireTerms(app))

/** In force at once; a version that was published before is in force again, as it is given now. */
export async function publishTerms(app: App, body: PublishTermsBody) {
  const row = { version: body.version, effectiveAt: body.effective_at, url: body.url, material: body.material }
  const [made] = await insertPublication(app.sql, row, app.clock.now())
  const terms = { ...row, nth: made!.nth }
  rememberTerms(app, terms)
  return presentTerms(terms)
}

/** What somebody accepts, or `tos_version_stale`. */
export async function requireCurrentTerms(app: App, version: string): Promise<Terms> {
  const terms = await requireTerms(app)
  if (terms.version !== version) throw termsStale(terms.version)
  return terms
}

export type Terms = TermsRow
type Accepting = { source: 'console' | 'oauth' | 'agent' | 'waitlist' | 'key'; request: RequestContext; now: Date }

/**
 * The record of an acceptance, for the organization that the guard returned as `id`. It names the document by the hash of
 * the manifest that was shown, which holds the document's archived address.
 */
export const acceptance = ({ sql }: App, terms: Terms, { source, request, now }: Accepting): Fragment =>
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
 * The guard of an acceptance: matches while these are the current terms and, where its revision is given, the organization
 * is the one that was seen.
 */
export const acceptedBy = ({ sql }: App, organization: Accepter, { version }: Terms, now: Date): Fragment =>
  organizationAccepts(sql, organization, version, now)

export async function acceptTerms(app: App, actor: Actor, body: AcceptTermsBody) {
  const now = app.clock.now()
  const terms = await requireCurrentTerms(app, body.tos_version)
  const { matched } = await commitParts(app, acceptedBy(app, { id: actor.orgId }, terms, now), {
    acceptance: acceptance(app, terms, { source: actor.sessionId ? 'console' : 'key', request: actor.request, now }),
    audit: auditEntry(app, actor, 'org.update', encodeId('org', actor.orgId)),
  })
  // Others were published at this very moment.
  if (!matched) throw termsStale((await requireTerms(app)).version)
  await bumpEpoch(app, actor.orgId)
  return { data: { accepted_terms_version: terms.version, accepted_terms_at: isoTime(now) } }
}
