// The moment an address is verified. Until then anybody may have signed up with it, so this switches off everything made
// before: keys, webhooks, booking pages and feed addresses. The change of the account ends sessions and the password.
// Calendars, events and agents stay.
import type { App } from '../app.ts'
import { type Audited, auditEntries } from '../audit/record.ts'
import type { Effect } from '../commit/effect.ts'
import type { Step } from '../commit/step.ts'
import { revokeKeys } from '../keys/writes.ts'
import { sendLater } from '../mails/mails.ts'
import { lockedOutMail } from '../mails/texts.ts'
import { isVerified } from '../organizations/rules.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { suspendAllDeliveries, switchOffWebhooks } from '../webhooks/writes.ts'
import { type PublicAccess, publicAccessOf } from './publicAccess.ts'
import {
  closePublicEndpoints,
  livePages,
  type PublicEndpoints,
  publicEndpointsOf,
  whileAsRead,
} from './publicEndpoints.ts'

export const findPublicAccess = async ({ sql }: App, orgId: Uuid): Promise<PublicAccess | undefined> =>
  (await publicAccessOf(sql, orgId))[0]

/** Whether access to the mail of an address proves that of the organization: other members have addresses of their own. */
export const provesAddress = ({ email }: { email: string }, access: Pick<PublicAccess, 'email'>): boolean =>
  email.toLowerCase() === access.email.toLowerCase()

type Actor = Audited['actor']

type Verification = {
  steps: Step[]
  /** Returns the organization's `id`. One of the effects must bump its revision. */
  guard: Fragment
  effects: Effect[]
  /** Whether anything that could be used was switched off; its owner then gets a mail that lists it. */
  locksOut: boolean
}

/** A change that verifies nothing. */
export const plain = (guard: Fragment): Verification => ({ steps: [], guard, effects: [], locksOut: false })

/**
 * A change that verifies the address, besides the effect that sets `email_verified`. `organization` locks the organization if
 * it has not changed since it was read, and returns its `id`.
 */
export async function planVerification(
  app: App,
  access: PublicAccess,
  actor: Actor,
  organization: Fragment,
): Promise<Verification> {
  if (access.emailVerified) return plain(organization)
  if (isVerified(access)) return { ...plain(organization), effects: verifyByOwner(app, access, actor) }
  const endpoints = await publicEndpointsOf(app, access.id)
  const switchedOff = entriesOf(access, endpoints, actor)
  const locksOut = switchedOff.length > 0
  const resource = encodeId('org', access.id)
  const lockedOut: Audited[] = locksOut ? [{ actor, action: 'account.locked_out', resource }] : []
  return {
    ...whileAsRead(app, endpoints, organization),
    effects: [
      ...switchOffAll(app),
      ...closePublicEndpoints(app, actor, endpoints),
      ...(locksOut ? [sendLater(app, lockedOutMail(app, access.email, countsOf(access, endpoints)))] : []),
      auditVerification(app, [verifiedEntry(access, actor), ...lockedOut, ...switchedOff]),
    ],
    locksOut,
  }
}

/** As `planVerification`, by somebody who has shown that they signed up as well: everything stays. */
export const verifyByOwner = (app: App, access: PublicAccess, actor: Actor): Effect[] =>
  access.emailVerified ? [] : [auditVerification(app, [verifiedEntry(access, actor)])]

const auditVerification = (app: App, entries: readonly Audited[]) => auditEntries(app, entries, 'proof_audit')

const verifiedEntry = ({ id }: PublicAccess, actor: Actor): Audited => ({
  actor,
  action: 'account.address_proven',
  resource: encodeId('org', id),
})

function switchOffAll({ sql, clock }: App): Effect[] {
  const now = clock.now()
  const webhooks = switchOffWebhooks(sql, now)
  return [revokeKeys(sql, now), webhooks, suspendAllDeliveries(sql, webhooks)]
}

/** Switching a page off and replacing a feed's address are logged as changes of the calendar. */
const entriesOf = (
  { keys, webhooks }: PublicAccess,
  { calendars, pages }: PublicEndpoints,
  actor: Actor,
): Audited[] => [
  ...keys.map(({ id }): Audited => ({ actor, action: 'key.delete', resource: encodeId('key', id) })),
  ...webhooks.map((id): Audited => ({ actor, action: 'webhook.update', resource: encodeId('whk', id) })),
  ...[...livePages(pages).map(({ calendarId }) => calendarId), ...calendars.map(({ id }) => id)].map(
    (id): Audited => ({ actor, action: 'calendar.update', resource: encodeId('cal', id) }),
  ),
]

const countsOf = ({ keys, webhooks }: PublicAccess, { calendars, pages }: PublicEndpoints) => ({
  organizationKeys: keys.filter(({ agentId }) => agentId === null).length,
  agentKeys: keys.filter(({ agentId }) => agentId !== null).length,
  webhooks: webhooks.length,
  pages: livePages(pages).length,
  feeds: calendars.length,
})
