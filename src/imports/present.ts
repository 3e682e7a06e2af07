import type { z } from 'zod'
import type { App } from '../app.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { SubscriptionRow } from './queries.ts'
import type { subscriptionRecord } from './schema.ts'

export const urlContext = (id: Uuid) => `ical_subscriptions.url:${id}` as const
export const digestKeyContext = (id: Uuid) => `ical_subscriptions.digest_key:${id}` as const

/** Null if everything could be read. */
function unreadSentence(unread: number): string | null {
  if (unread === 0) return null
  return unread === 1 ? 'One part of the feed could not be read.' : `${unread} parts of the feed could not be read.`
}

export const presentSubscription = ({ sealer }: App, row: SubscriptionRow): z.infer<typeof subscriptionRecord> => ({
  id: encodeId('ics', row.id),
  agent_id: encodeId('agt', row.agentId),
  calendar_id: encodeId('cal', row.calendarId),
  url: sealer.unseal(urlContext(row.id), row.urlSealed),
  label: row.label,
  status: row.status,
  last_synced_at: isoTimeOrNull(row.lastSyncedAt),
  last_error: row.lastError ?? unreadSentence(row.unread),
  created_at: isoTime(row.createdAt),
  ...(row.keep && { keep: row.keep }),
})
