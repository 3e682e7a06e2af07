// Links as the API shows them.
import type { z } from 'zod'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { LinkRow } from './linkQueries.ts'
import type { createdLinkRecord, linkRecord } from './linkSchema.ts'
import { linkStatusAt } from './rules.ts'

export function presentLink(row: LinkRow, now: Date): z.infer<typeof linkRecord> {
  const status = linkStatusAt(row, now)
  return {
    id: encodeId('csl', row.id),
    calendar_id: encodeId('cal', row.calendarId),
    status,
    expires_at: isoTime(row.expiresAt),
    connection_id: status === 'completed' && row.connectionId ? encodeId('con', row.connectionId) : null,
  }
}

/** `setupUrl` is null if it cannot be shown again. */
export const presentCreatedLink = (
  row: LinkRow,
  now: Date,
  setupUrl: string | null,
): z.infer<typeof createdLinkRecord> => ({
  id: encodeId('csl', row.id),
  calendar_id: encodeId('cal', row.calendarId),
  status: linkStatusAt(row, now),
  expires_at: isoTime(row.expiresAt),
  setup_url: setupUrl,
  reused: setupUrl === null,
})
