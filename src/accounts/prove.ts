// The moment an address is proven. Until then anybody may have signed up with it, so the proof switches off what was made
// before: keys, webhooks, booking pages and feed addresses. The change of the account that goes with it ends sessions and
// the password. Calendars, events and agents stay.
import type { App } from '../app.ts'
import { type Audited, auditEntries } from '../audit/record.ts'
import { switchOffPages } from '../booking/writes.ts'
import { feedTokenPlace } from '../calendars/present.ts'
import { replaceFeeds } from '../calendars/writes.ts'
import type { Effect } from '../changes/effect.ts'
import { revokeKeys } from '../keys/writes.ts'
import { sendLater } from '../mails/mails.ts'
import { lockedOutMail } from '../mails/texts.ts'
import { isProven } from '../organizations/rules.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { parkAllDeliveries, switchOffWebhooks } from '../webhooks/writes.ts'
import { type Standing, standingOf, unchangedGuard } from './standing.ts'

export const findStanding = async ({ sql }: App, orgId: Uuid): Promise<Standing | undefined> =>
  (await standingOf(sql, orgId))[0]

/** The guard of a proof; returns the organization's `id`. One of the effects must bump the organization's revision. */
export const proofGuard = ({ sql }: App, standing: Standing): Fragment => unchangedGuard(sql, standing)

type Actor = Audited['actor']

type Proof = {
  effects: Effect[]
  /** Whether anything that could be used was switched off; its owner then gets a mail that lists it. */
  locksOut: boolean
}

/**
 * The effects of a change that proves the address, beside the one that sets `email_verified`. They are for the organization
 * whose `id` the guard returned.
 */
export function proofOf(app: App, standing: Standing, actor: Actor): Proof {
  if (standing.emailVerified) return { effects: [], locksOut: false }
  if (isProven(standing)) return { effects: proofByOwner(app, standing, actor), locksOut: false }
  const switchedOff = entriesOf(standing, actor)
  const locksOut = switchedOff.length > 0
  const resource = encodeId('org', standing.id)
  const lockedOut: Audited[] = locksOut ? [{ actor, action: 'account.locked_out', resource }] : []
  return {
    effects: [
      ...switchOffAll(app, standing),
      ...(locksOut ? [sendLater(app, lockedOutMail(app, standing.email, countsOf(standing)))] : []),
      auditProof(app, [provenEntry(standing, actor), ...lockedOut, ...switchedOff]),
    ],
    locksOut,
  }
}

/** As `proofOf`, by somebody who has shown that they signed up as well: everything stays. */
export const proofByOwner = (app: App, standing: Standing, actor: Actor): Effect[] =>
  standing.emailVerified ? [] : [auditProof(app, [provenEntry(standing, actor)])]

const auditProof = (app: App, entries: readonly Audited[]) => auditEntries(app, entries, 'proof_audit')

const provenEntry = ({ id }: Standing, actor: Actor): Audited => ({
  actor,
  action: 'account.address_proven',
  resource: encodeId('org', id),
})

function switchOffAll(app: App, { calendars }: Standing): Effect[] {
  const { sql } = app
  const now = app.clock.now()
  const feeds = calendars.map((id) => newFeed(app, id))
  const webhooks = switchOffWebhooks(sql, now)
  return [
    revokeKeys(sql, now),
    webhooks,
    parkAllDeliveries(sql, webhooks),
    switchOffPages(sql, now),
    replaceFeeds(sql, feeds, now),
  ]
}

function newFeed({ sealer }: App, id: Uuid) {
  const token = randomToken(24)
  return { id, hash: sha256(token), sealed: sealer.seal(feedTokenPlace(id), token) }
}

/** Switching a page off and replacing a feed's address are logged as changes of the calendar. */
const entriesOf = ({ keys, webhooks, pages, calendars }: Standing, actor: Actor): Audited[] => [
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
