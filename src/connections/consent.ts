// The record of a human's consent.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import type { Capability } from '../providers/rules.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { PublicationPolicy } from './linkSchema.ts'
import { insertConsent } from './writes.ts'

/** Of the text that a human is shown: it grows with every change of that. */
const textVersion = '1'

/** The abilities of a connection, in plain words. */
export const consentText: Record<Capability, string> = {
  availability: 'See when you are busy, but not why, with whom or where.',
  publishing: 'Write events into one calendar that you choose.',
}

/** The written fields, by the policy of a link. */
export const publishedText = (policy: PublicationPolicy): string => {
  const which = policy === 'confirmed_tentative' ? 'confirmed and tentative' : 'confirmed'
  return `Write ${which} events, with their titles and descriptions, into one calendar that you choose.`
}

/** The effect that records it; undefined for an actor without a session, who is no human. */
export const consentEffect = (
  app: App,
  { orgId, sessionId, request }: Actor,
  connectionId: Uuid,
  capabilities: readonly Capability[],
  calendarIds: readonly Uuid[],
): Effect | undefined =>
  sessionId &&
  insertConsent(app.sql, {
    orgId,
    id: newId(),
    connectionId,
    sessionId,
    ip: request.ip,
    textVersion,
    capabilities,
    calendarIds,
    createdAt: app.clock.now(),
  })
