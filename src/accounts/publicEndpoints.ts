// Everything that is open without a key: the feeds of calendars, and booking pages. The verification of an address replaces the
// addresses of the feeds and switches the pages off. The change feed reports both, so the change matches only while every
// calendar and page is as it was read.
import type { App } from '../app.ts'
import { pagesOf } from '../bookingPages/pages.ts'
import { presentPage } from '../bookingPages/present.ts'
import { lockAllPages, switchOffPages } from '../bookingPages/writes.ts'
import { calendarsOf } from '../calendars/calendars.ts'
import { replaceFeeds } from '../calendars/feedWrites.ts'
import { feedTokenContext, presentCalendar } from '../calendars/present.ts'
import { lockAllCalendars } from '../calendars/writes.ts'
import { byActor } from '../changeLog/origin.ts'
import type { Effect } from '../commit/effect.ts'
import { type Step, step } from '../commit/step.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { type Emission, emit } from '../webhooks/emit.ts'

/** Pages that are off already are among them. */
export async function publicEndpointsOf(app: App, orgId: Uuid) {
  const [calendars, pages] = await Promise.all([calendarsOf(app, orgId), pagesOf(app, orgId)])
  return { calendars, pages }
}

export type PublicEndpoints = Awaited<ReturnType<typeof publicEndpointsOf>>
type Pages = PublicEndpoints['pages']

/**
 * `organization` locks the organization and returns its `id`. The guard returns it too, while all calendars and pages are as they
 * were read: first the organization is locked, then the calendars, then the pages, each kind in one order.
 */
export function whileAsRead({ sql }: App, { calendars, pages }: PublicEndpoints, organization: Fragment) {
  const found = step('organization_found', organization)
  const lockedCalendars = lockAllCalendars(sql, found)
  const lockedPages = lockAllPages(sql, found, lockedCalendars)
  const isAsRead = (locked: Step, rows: readonly { id: Uuid; revision: number }[]) => sql`
    not exists (
      select
      from ${locked} l
      full join ${rowsOf(sql, rows, { id: 'uuid', revision: 'bigint' }, 'r')} on r.id = l.id
      where l.revision is distinct from r.revision)`
  return {
    steps: [found, lockedCalendars, lockedPages],
    guard: sql`
    select id
    from ${found}
    where ${isAsRead(lockedCalendars, calendars)} and ${isAsRead(lockedPages, pages)}`,
  }
}

type Changer = Parameters<typeof byActor>[0]

/** The effects that close what outsiders reach, and tell it. */
export function closePublicEndpoints(app: App, changer: Changer, { calendars, pages }: PublicEndpoints): Effect[] {
  const { sql, sealer } = app
  const now = app.clock.now()
  const renewed = calendars.map((row) => {
    const token = randomToken(24)
    return { row, feed: { id: row.id, hash: sha256(token), sealed: sealer.seal(feedTokenContext(row.id), token) } }
  })
  const emitted: Emission[] = [
    ...livePages(pages).map(
      (row): Emission => ({
        type: 'booking_page.updated',
        payload: { booking_page: presentPage(app, { ...row, active: false, updatedAt: now }) },
      }),
    ),
    ...renewed.map(
      ({ row, feed }): Emission => ({
        type: 'calendar.updated',
        payload: { calendar: presentCalendar(app, { ...row, feedTokenSealed: feed.sealed, updatedAt: now }) },
        revision: row.revision + 1,
      }),
    ),
  ]
  const feeds = renewed.map(({ feed }) => feed)
  return [switchOffPages(sql, now), replaceFeeds(sql, feeds, now), ...emit(app, byActor(changer), emitted)]
}

/** Those that are not off already. */
export const livePages = (pages: Pages): Pages => pages.filter(({ active }) => active)
