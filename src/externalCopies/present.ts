import type { z } from 'zod'
import { encodeId } from '../shapes/ids.ts'
import type { DestinationRow } from './queries.ts'
import type { destinationRecord } from './schema.ts'

export const presentDestination = (row: DestinationRow): z.infer<typeof destinationRecord> => ({
  id: encodeId('xds', row.id),
  calendar_id: encodeId('cal', row.calendarId),
  external_calendar_id: encodeId('xcl', row.externalCalendarId),
  policy: row.policy,
  active: row.connectionStatus === 'active' && row.isWritable === true && row.lost === null,
  health: { queued: row.queued, failed: row.failed, last_error_category: row.lastError ?? row.lost },
})
