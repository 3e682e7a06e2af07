// Connections and external calendars as the API shows them, to the human's session alone.
import type { z } from 'zod'
import type { App } from '../app.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { ConnectionRow, ExternalCalendarRow } from './queries.ts'
import { syncStatusOf } from './rules.ts'
import type { connectionDetail, connectionRecord, externalCalendarRecord } from './schema.ts'
import { labelContext, nameContext } from './sealed.ts'

type ExternalCalendar = z.infer<typeof externalCalendarRecord>

export const labelOf = ({ sealer }: App, { id, labelSealed }: ConnectionRow): string | null =>
  labelSealed && sealer.unseal(labelContext(id), labelSealed)

export const presentConnection = (app: App, row: ConnectionRow): z.infer<typeof connectionRecord> =>
  recordOf(row, labelOf(app, row))

const recordOf = (row: ConnectionRow, label: string | null) => ({
  id: encodeId('con', row.id),
  provider: row.provider,
  account_label: label,
  capabilities: row.capabilities,
  status: row.status,
  reauthorization_reason: row.reauthorizationReason,
  selected_calendar_count: row.selectedCount,
  last_authenticated_at: isoTime(row.lastAuthenticatedAt),
  created_at: isoTime(row.createdAt),
})

/** The label is for its member alone. */
export const presentConnectionOfOther = (row: ConnectionRow): z.infer<typeof connectionRecord> => ({
  ...recordOf(row, null),
  ...(row.memberId && { member_id: encodeId('mem', row.memberId) }),
})

export const presentDetail = (
  app: App,
  row: ConnectionRow,
  calendars: readonly ExternalCalendarRow[],
): z.infer<typeof connectionDetail> => ({
  ...presentConnection(app, row),
  calendars: presentCalendars(app, row, calendars),
})

/** The primary one first, then by name. */
export const presentCalendars = (
  app: App,
  connection: ConnectionRow,
  rows: readonly ExternalCalendarRow[],
): ExternalCalendar[] =>
  rows
    .map((row) => presentCalendar(app, connection, row))
    .sort((a, b) => Number(b.primary) - Number(a.primary) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))

function presentCalendar(
  { sealer, clock }: App,
  connection: ConnectionRow,
  row: ExternalCalendarRow,
): ExternalCalendar {
  const now = clock.now()
  return {
    id: encodeId('xcl', row.id),
    name: sealer.unseal(nameContext(row.id), row.nameSealed),
    access_role: row.accessRole,
    primary: row.isPrimary,
    timezone: row.timezone,
    availability_readable: row.isReadable,
    writable: row.isWritable,
    selected: row.isSelected,
    availability_source_active: row.isSelected && row.isReadable && row.isGranted,
    sync: {
      status: syncStatusOf(
        {
          ...row,
          isActive: connection.status === 'active',
          unreadSince: connection.notifiedAt,
          isReading: connection.claimedUntil !== null && connection.claimedUntil > now,
        },
        now,
      ),
      last_attempted_at: isoTimeOrNull(row.lastAttemptedAt),
      last_successful_sync_at: isoTimeOrNull(row.lastReadAt),
      last_error_category: row.lastError ?? (row.hasUnread ? 'malformed' : null),
    },
  }
}
