// What a human agreed to is on record.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Effect } from '../changes/effect.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Capability } from './rules.ts'
import { insertConsent } from './writes.ts'

/** Of the text that a human is shown: it grows with every change of that. */
const textVersion = '1'

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
