import type { z } from 'zod'
import type { App } from '../app.ts'
import { inWeekOrder, presentStretches } from '../availability/present.ts'
import { encodeId } from '../ids.ts'
import { present } from '../wire.ts'
import type { PageRow } from './queries.ts'
import type { pageRecord, slotsRecord } from './schema.ts'

export const presentPage = ({ config }: App, row: PageRow): z.infer<typeof pageRecord> => ({
  id: encodeId('bkp', row.id),
  org_id: encodeId('org', row.orgId),
  calendar_id: encodeId('cal', row.calendarId),
  agent_id: row.agentId === null ? null : encodeId('agt', row.agentId),
  slug: row.slug,
  title: row.title,
  description: row.description,
  duration_minutes: row.durationMinutes,
  buffer_minutes: row.bufferMinutes,
  window_days: row.windowDays,
  min_notice_minutes: row.minNoticeMinutes,
  timezone: row.timezone,
  availability_constraints: row.availabilityConstraints && inWeekOrder(row.availabilityConstraints),
  active: row.active && row.calendarOpen,
  bookings_count: row.bookingsCount,
  booking_url: `${config.baseUrl}/book/${row.slug}`,
  created_at: present(row.createdAt),
  updated_at: present(row.updatedAt),
})

export const presentSlots = (row: PageRow, slots: readonly number[]): z.infer<typeof slotsRecord> => ({
  booking_page: {
    slug: row.slug,
    title: row.title,
    description: row.description,
    duration_minutes: row.durationMinutes,
    timezone: row.timezone,
  },
  slots: presentStretches(slots),
})
