// Booking pages as their owner manages them. A page is about one calendar for good: an agent key touches those on its
// agent's calendars, and one whose calendar is deleted or closed is inactive without anybody writing to it.
import type { Actor } from '../actors/actor.ts'
import { agentDecommissioned } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar, stale } from '../calendars/revision.ts'
import { commitParts } from '../changes/commitParts.ts'
import { conflict, forbidden, notFound } from '../errors.ts'
import { requireStanding, withinCap } from '../quotas/caps.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import { listed, type Page } from '../shapes/lists.ts'
import { presentPage, slugPlace } from './present.ts'
import {
  changePage,
  deletedPage,
  insertPage,
  livingPageCount,
  type PageRow,
  pageById,
  pagesPage,
  pageTotal,
} from './queries.ts'
import type { CreatePageBody, UpdatePageBody } from './schema.ts'

/** For what an organization is told of its use. */
export { livingPageCount } from './queries.ts'

export async function createPage(app: App, actor: Actor, body: CreatePageBody) {
  const calendar = await requireLiveCalendar(app, actor, body.calendar_id, 'calendar_id')
  const now = app.clock.now()
  const id = newId()
  const slug = randomToken(16)
  const row: PageRow = {
    orgId: actor.orgId,
    id,
    calendarId: calendar.id,
    agentId: calendar.agentId,
    slugSealed: app.sealer.seal(slugPlace(id), slug),
    title: body.title,
    description: body.description ?? null,
    durationMinutes: body.duration_minutes,
    bufferMinutes: body.buffer_minutes,
    windowDays: body.window_days,
    minNoticeMinutes: body.min_notice_minutes,
    timezone: body.timezone,
    availabilityConstraints: body.availability_constraints,
    active: body.active,
    calendarOpen: true,
    calendarGone: false,
    bookingsCount: 0,
    revision: 0,
    createdAt: now,
    updatedAt: now,
  }
  await withinCap(app, actor, 'booking_pages', livingPageCount(app.sql, actor.orgId), async (guard) => {
    // From here on a decommissioning makes the guard miss.
    await requireLiveCalendar(app, actor, body.calendar_id, 'calendar_id')
    return commitParts(app, guard, { page: insertPage(app.sql, row, sha256(slug)), audit: auditedOn(app, actor, row) })
  })
  return presentPage(app, row)
}

/** The log has no action of its own for pages: they are a way onto their calendar. */
const auditedOn = (app: App, actor: Actor, { calendarId }: PageRow) =>
  auditEntry(app, actor, 'calendar.update', encodeId('cal', calendarId))

export async function listPages(app: App, actor: Actor, page: Page) {
  const [rows, [count]] = await Promise.all([
    pagesPage(app.sql, actor.orgId, actor.agentId, page),
    pageTotal(app.sql, actor.orgId, actor.agentId),
  ])
  return listed(
    rows.map((row) => presentPage(app, row)),
    count?.total ?? 0,
    page,
  )
}

export const getPage = async (app: App, actor: Actor, id: string) => presentPage(app, await requirePage(app, actor, id))

export async function updatePage(app: App, actor: Actor, id: string, body: UpdatePageBody) {
  const { calendarId } = await requirePage(app, actor, id)
  return onCalendar(calendarId, async () => {
    const before = await requirePage(app, actor, id)
    refuseClosed(before, body)
    if (body.active) await requireStanding(app, actor)
    const row: PageRow = {
      ...before,
      title: body.title ?? before.title,
      description: body.description === undefined ? before.description : body.description,
      durationMinutes: body.duration_minutes ?? before.durationMinutes,
      bufferMinutes: body.buffer_minutes ?? before.bufferMinutes,
      windowDays: body.window_days ?? before.windowDays,
      minNoticeMinutes: body.min_notice_minutes ?? before.minNoticeMinutes,
      timezone: body.timezone ?? before.timezone,
      availabilityConstraints:
        body.availability_constraints === undefined ? before.availabilityConstraints : body.availability_constraints,
      active: body.active ?? before.active,
      updatedAt: app.clock.now(),
    }
    const { matched } = await commitParts(app, changePage(app.sql, row), { audit: auditedOn(app, actor, row) })
    return matched ? presentPage(app, row) : stale
  })
}

/** A decommissioned agent's things are written to no more; a page without its calendar can be edited but not opened. */
function refuseClosed({ calendarOpen, calendarGone }: PageRow, body: UpdatePageBody): void {
  if (!calendarOpen && !calendarGone) throw agentDecommissioned()
  if (calendarGone && body.active)
    throw conflict('The calendar of this page was deleted. Create a page on another calendar.')
}

/** The hosted page is gone with it, what was booked stays. Frees its place under the cap whatever became of its calendar. */
export async function deletePage(app: App, actor: Actor, id: string): Promise<void> {
  const page = await requirePage(app, actor, id)
  const { matched } = await commitParts(app, deletedPage(app.sql, page.orgId, page.id, app.clock.now()), {
    audit: auditedOn(app, actor, page),
  })
  if (!matched) throw notFound('booking page')
}

/** 404 outside the organization, 403 for an agent key of another owner. */
async function requirePage(app: App, actor: Actor, id: string): Promise<PageRow> {
  const uuid = decodeId('bkp', id)
  const [row] = uuid ? await pageById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('booking page', null, id)
  if (actor.agentId && actor.agentId !== row.agentId) {
    throw forbidden("This key's agent does not own the calendar of this booking page.")
  }
  return row
}
