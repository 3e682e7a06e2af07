import type { z } from 'zod'
import type { App } from '../app.ts'
import { inWeekOrder, presentIntervals } from '../availability/present.ts'
import { isoTime, isoTimeOf } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Details } from './details.ts'
import type { PageRow } from './queries.ts'
import type { pageRecord, slotsRecord } from './schema.ts'
import { isNeverOpen } from './slots.ts'

export const slugContext = (id: Uuid) => `booking_pages.slug:${id}` as const

const slugOf = ({ sealer }: App, { id, slugSealed }: PageRow): string => sealer.unseal(slugContext(id), slugSealed)

const neverOpen =
  'No time can be booked: min_notice_minutes reaches beyond window_days. Shorten one, or extend the other.'

export function presentPage(app: App, row: PageRow): z.infer<typeof pageRecord> {
  const slug = slugOf(app, row)
  return {
    id: encodeId('bkp', row.id),
    org_id: encodeId('org', row.orgId),
    calendar_id: encodeId('cal', row.calendarId),
    agent_id: row.agentId === null ? null : encodeId('agt', row.agentId),
    slug,
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
    booking_url: `${app.config.baseUrl}/book/${slug}`,
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
    ...row.details,
    ...(row.vanitySlug !== null && {
      vanity_slug: row.vanitySlug,
      vanity_url: `${app.config.baseUrl}/book/${row.vanitySlug}`,
    }),
    ...(isNeverOpen(row) && { warnings: [neverOpen] }),
  }
}

/** The facts that a program needs to book for somebody. */
const forGuests = ({
  host_name,
  host_organization,
  location,
  questions,
  additional_guests,
  contact,
  conference,
}: Details) => ({
  ...(host_name && { host_name }),
  ...(host_organization && { host_organization }),
  ...(location && { location }),
  ...(questions && { questions }),
  ...(additional_guests && { additional_guests }),
  ...(contact && { contact }),
  ...(conference?.provider && { conference: { provider: conference.provider } }),
})

/** `nextMs`: where the rest begins, if there is a rest. */
export const presentSlots = (
  row: PageRow & { slug: string },
  slots: readonly number[],
  nextMs: number | undefined,
): z.infer<typeof slotsRecord> => ({
  booking_page: {
    slug: row.slug,
    title: row.title,
    description: row.description,
    duration_minutes: row.durationMinutes,
    timezone: row.timezone,
    ...forGuests(row.details),
  },
  slots: presentIntervals(slots),
  ...(nextMs !== undefined && { next_from: isoTimeOf(nextMs) }),
})
