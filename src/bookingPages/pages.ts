// Booking pages as their owner manages them. A page never changes its calendar. An agent key can touch the pages of its
// agent's calendars. A page whose calendar is deleted or closed is inactive, although its row does not say so.

import type { Actor } from '../actors/actor.ts'
import { listedCalendars, requireListedCalendar, requireWriter } from '../actors/guardrails.ts'
import { changedAt, isConditional, requireMatch } from '../actors/precondition.ts'
import { agentDecommissioned } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import { conflict, forbidden, notFound } from '../errors.ts'
import { requireAccess, withinCap } from '../organizations/caps.ts'
import { recorded } from '../recording/recorded.ts'
import { sha256 } from '../sealing/sealer.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listPage, type Page } from '../shapes/lists.ts'
import { isDuplicateIn } from '../stores/failures.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { detailsAfter } from './details.ts'
import type { ShownPage } from './pageForGuest.ts'
import { presentPage, slugContext } from './present.ts'
import { existingPagesOf, type PageRow, pageById, pageNamed, pagesPage, pageTotal } from './queries.ts'
import type { CreatePageBody, UpdatePageBody } from './schema.ts'
import { secretSlug } from './vanitySlug.ts'
import { insertPage, removePageGuard, updatePageGuard } from './writes.ts'

/** How many pages an organization has: the plan caps them. */
export const existingPageCount = (sql: Sql, orgId: Uuid): Fragment => sql`
  select count(*)
  from booking_pages
  where org_id = ${orgId} and deleted_at is null`

/** A page that is not stored yet, and its secret address. */
function newPage(
  app: App,
  actor: Actor,
  { id: calendarId, agentId }: { id: Uuid; agentId: Uuid | null },
  body: CreatePageBody,
): { row: PageRow; slug: string } {
  const now = app.clock.now()
  const id = newId()
  const slug = secretSlug()
  const row = {
    orgId: actor.orgId,
    id,
    calendarId,
    agentId,
    slugSealed: app.sealer.seal(slugContext(id), slug),
    title: body.title,
    description: body.description ?? null,
    durationMinutes: body.duration_minutes,
    bufferMinutes: body.buffer_minutes,
    windowDays: body.window_days,
    minNoticeMinutes: body.min_notice_minutes,
    timezone: body.timezone,
    availabilityConstraints: body.availability_constraints,
    active: body.active,
    ...detailsAfter({ details: {}, vanitySlug: null }, body),
    calendarOpen: true,
    calendarGone: false,
    bookingsCount: 0,
    revision: 0,
    createdAt: now,
    updatedAt: now,
  }
  return { row, slug }
}

export async function createPage(app: App, actor: Actor, body: CreatePageBody) {
  const calendar = await requireLiveCalendar(app, actor, body.calendar_id, 'calendar_id')
  const { row, slug } = newPage(app, actor, calendar, body)
  const page = presentPage(app, row)
  await refuseTaken(() =>
    withinCap(app, actor, 'booking_pages', existingPageCount(app.sql, actor.orgId), async (guard) => {
      // The guard misses if the agent is decommissioned after this check.
      await requireLiveCalendar(app, actor, body.calendar_id, 'calendar_id')
      return commitOrAgain(app, {
        guard,
        effects: [
          insertPage(app.sql, row, sha256(slug)),
          ...recorded(app, actor, {
            ...loggedFor(row),
            emits: [{ type: 'booking_page.created', payload: { booking_page: page } }],
            response: page,
            created: [page.id, page.slug, page.booking_url],
          }),
        ],
      })
    }),
  )
  return page
}

/** As a guest would see it. Throws what `createPage` throws about the page itself, and stores nothing. */
export async function previewPage(app: App, actor: Actor, body: CreatePageBody): Promise<ShownPage> {
  requireWriter(actor)
  const calendar = await requireLiveCalendar(app, actor, body.calendar_id, 'calendar_id')
  const { row, slug } = newPage(app, actor, calendar, body)
  if (row.vanitySlug !== null && (await pageNamed(app.sql, row.vanitySlug)).length > 0) throw addressTaken()
  return { ...row, slug }
}

/** The database decides: a readable address may be taken by another organization, at the same moment. */
async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isDuplicateIn(error, 'booking_pages_by_vanity_slug')) throw error
    throw addressTaken()
  }
}

const addressTaken = () => conflict('This address is taken. Choose another one.', undefined, 'vanity_slug')

/** The log has no action for pages: a change of a page is logged as a change of its calendar. */
const loggedFor = ({ calendarId }: PageRow) =>
  ({ action: 'calendar.update', resource: encodeId('cal', calendarId) }) as const

export async function listPages(app: App, actor: Actor, page: Page) {
  const seen = { agentId: actor.agentId, only: listedCalendars(actor) }
  const [rows, [count]] = await Promise.all([
    pagesPage(app.sql, actor.orgId, seen, page),
    pageTotal(app.sql, actor.orgId, seen),
  ])
  return listPage(
    rows.map((row) => presentPage(app, row)),
    count?.total ?? 0,
    page,
  )
}

/** All pages of an organization, without a check of the caller. */
export const pagesOf = ({ sql }: App, orgId: Uuid): Promise<PageRow[]> => existingPagesOf(sql, orgId)

export const getPage = async (app: App, actor: Actor, id: string) => presentPage(app, await requirePage(app, actor, id))

export async function updatePage(app: App, actor: Actor, id: string, body: UpdatePageBody) {
  const { calendarId } = await requirePage(app, actor, id)
  return onCalendar(app, calendarId, async () => {
    const before = await requirePage(app, actor, id)
    requireMatch(actor, () => presentPage(app, before))
    refuseClosed(before, body)
    if (body.active) await requireAccess(app, actor)
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
      ...detailsAfter(before, body),
      updatedAt: changedAt(actor, app.clock.now(), before.updatedAt),
    }
    const page = presentPage(app, row)
    return refuseTaken(() =>
      commitOrAgain(
        app,
        {
          guard: updatePageGuard(app.sql, row),
          effects: recorded(app, actor, {
            ...loggedFor(row),
            emits: [{ type: 'booking_page.updated', payload: { booking_page: page } }],
            response: page,
          }),
        },
        page,
      ),
    )
  })
}

/** A page of a decommissioned agent never changes; a page without its calendar can be edited but not switched on. */
function refuseClosed({ calendarOpen, calendarGone }: PageRow, body: UpdatePageBody): void {
  if (!calendarOpen && !calendarGone) throw agentDecommissioned()
  if (calendarGone && body.active)
    throw conflict('The calendar of this page was deleted. Create a page on another calendar.')
}

/** Bookings stay. The page no longer counts towards the cap, even if its calendar is gone. */
export const removePage = (app: App, actor: Actor, id: string): Promise<void> =>
  decide(app, { noun: 'booking page', key: id }, async () => {
    const page = await requirePage(app, actor, id)
    requireMatch(actor, () => presentPage(app, page))
    const { calendarId, agentId } = page
    const payload = { booking_page_id: encodeId('bkp', page.id) }
    return commitOrAgain(app, {
      guard: removePageGuard(app.sql, page, app.clock.now(), isConditional(actor)),
      effects: recorded(app, actor, {
        ...loggedFor(page),
        emits: [{ type: 'booking_page.removed', payload, calendarId, agentId }],
        response: undefined,
      }),
    })
  })

/** 404 outside the organization; 403 for the key of an agent that does not own the calendar. */
export async function requirePage(app: App, actor: Actor, id: string): Promise<PageRow> {
  const uuid = decodeId('bkp', id)
  const [row] = uuid ? await pageById(app.sql, actor.orgId, uuid) : []
  if (!row) throw notFound('booking page', null, id)
  if (actor.agentId && actor.agentId !== row.agentId) {
    throw forbidden("This key's agent does not own the calendar of this booking page.")
  }
  requireListedCalendar(actor, row.calendarId)
  return row
}
