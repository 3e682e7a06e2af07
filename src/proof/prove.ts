// The moment an address is proven. Until then anybody may have signed up with it, so whatever was made before is as good as
// dead when its owner comes: keys, webhooks, booking pages and feed addresses. Sessions and the password end with the change
// of the account that goes with it. Calendars, events and agents stay.
import type { App } from '../app.ts'
import { type Audited, auditEntries } from '../audit/record.ts'
import { feedTokenPlace } from '../calendars/present.ts'
import type { Effects } from '../changes/commitParts.ts'
import { sendLater } from '../mails/mails.ts'
import { lockedOutMail } from '../mails/texts.ts'
import { isProven } from '../organizations/rules.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import {
  parkAllDeliveries,
  replaceFeeds,
  revokeKeys,
  type Standing,
  standingOf,
  switchOffPages,
  switchOffWebhooks,
  unchangedSince,
} from './queries.ts'

export const readStanding = async ({ sql }: App, orgId: Uuid): Promise<Standing | undefined> =>
  (await standingOf(sql, orgId))[0]

/** The guard of a proof; returns the organization's `id`. The change itself bumps the organization's revision. */
export const asItStood = ({ sql }: App, standing: Standing): Fragment => unchangedSince(sql, standing)

/**
 * Effects of a change that proves the address, beside `organization`, which sets `email_verified`. `madeByOwner`: whoever
 * proves it has shown that they signed up as well, and keeps everything.
 */
export function proofEffects(
  app: App,
  standing: Standing,
  actor: Audited['actor'],
  { madeByOwner = false } = {},
): Effects {
  if (standing.emailVerified) return {}
  const resource = encodeId('org', standing.id)
  const proven: Audited = { actor, action: 'account.address_proven', resource }
  if (madeByOwner || isProven(standing)) return { proof_audit: auditEntries(app, [proven], 'proof_audit') }
  const now = app.clock.now()
  const switchedOff = entriesOf(standing, actor)
  const lockedOut: Audited[] = switchedOff.length > 0 ? [{ actor, action: 'account.locked_out', resource }] : []
  return {
    keys: revokeKeys(app.sql, now),
    webhooks: switchOffWebhooks(app.sql, now),
    parked: parkAllDeliveries(app.sql, app.sql`did_webhooks`),
    pages: switchOffPages(app.sql, now),
    feeds: replaceFeeds(
      app.sql,
      standing.calendars.map((id) => newFeed(app, id)),
      now,
    ),
    mails: switchedOff.length > 0 ? sendLater(app, lockedOutMail(app, standing.email, countsOf(standing))) : undefined,
    proof_audit: auditEntries(app, [proven, ...lockedOut, ...switchedOff], 'proof_audit'),
  }
}

function newFeed({ sealer }: App, id: Uuid) {
  const token = randomToken(24)
  return { id, hash: sha256(token), sealed: sealer.seal(feedTokenPlace(id), token) }
}

/** A page is a way onto its calendar, and is logged as its change; so is a feed's address. */
const entriesOf = ({ keys, webhooks, pages, calendars }: Standing, actor: Audited['actor']): Audited[] => [
  ...keys.map(({ id }): Audited => ({ actor, action: 'key.delete', resource: encodeId('key', id) })),
  ...webhooks.map((id): Audited => ({ actor, action: 'webhook.update', resource: encodeId('whk', id) })),
  ...[...pages.map(({ calendarId }) => calendarId), ...calendars].map(
    (id): Audited => ({ actor, action: 'calendar.update', resource: encodeId('cal', id) }),
  ),
]

const countsOf = ({ keys, webhooks, pages, calendars }: Standing) => ({
  organizationKeys: keys.filter(({ agentId }) => agentId === null).length,
  agentKeys: keys.filter(({ agentId }) => agentId !== null).length,
  webhooks: webhooks.length,
  pages: pages.length,
  feeds: calendars.length,
})
