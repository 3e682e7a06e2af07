import type { z } from 'zod'
import type { App } from '../app.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { CalendarRow } from './queries.ts'
import type { busyFeedRecord, calendarRecord } from './schema.ts'

export const feedTokenContext = (id: Uuid) => `calendars.feed_token:${id}` as const

export const busyTokenContext = (id: Uuid) => `calendars.busy_token:${id}` as const

type BusyFeed = Pick<CalendarRow, 'id'> & { busyTokenSealed: Buffer }

export const presentBusyFeed = ({ config, sealer }: App, row: BusyFeed): z.infer<typeof busyFeedRecord> => ({
  busy_ical_url: `${config.baseUrl}/ical/${sealer.unseal(busyTokenContext(row.id), row.busyTokenSealed)}.ics`,
})

export const presentCalendar = ({ config, sealer }: App, row: CalendarRow): z.infer<typeof calendarRecord> => ({
  id: encodeId('cal', row.id),
  orgId: encodeId('org', row.orgId),
  agentId: row.agentId === null ? null : encodeId('agt', row.agentId),
  name: row.name,
  timezone: row.timezone,
  metadata: row.metadata,
  externalId: row.externalId,
  provider: row.provider,
  // A deleted calendar is never shown.
  deletedAt: null,
  createdAt: isoTime(row.createdAt),
  updatedAt: isoTime(row.updatedAt),
  agent_status: row.agentStatus,
  default_reminders: row.defaultReminders,
  ical_url: `${config.baseUrl}/ical/${sealer.unseal(feedTokenContext(row.id), row.feedTokenSealed)}.ics`,
})
