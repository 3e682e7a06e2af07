// What guests see of a page: whether it exists, and its free slots.
import type { App } from '../app.ts'
import { busyAtRevision } from '../availability/busyAtRevision.ts'
import type { Window } from '../availability/intervals.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { presentSlots } from './present.ts'
import { openPage, type PublicPageRow } from './queries.ts'
import type { SlotsQuery } from './schema.ts'
import { freeSlots, windowOf } from './slots.ts'

export type { PublicPageRow as GuestPage } from './queries.ts'

/** A guest cannot tell why a page is missing: never made, deleted, switched off, or its calendar or organization is closed. */
export async function requireOpenPage({ sql }: App, slug: string): Promise<PublicPageRow> {
  const [page] = await openPage(sql, slug)
  if (!page) throw notFound('booking page')
  return page
}

/** A flat list of epoch ms, like `Intervals`. `limits` narrow the page's own window. */
export async function slotsOf(app: App, page: PublicPageRow, now: Date, limits: SlotsQuery = {}): Promise<number[]> {
  const own = windowOf(page, now)
  const window: Window = {
    fromMs: Math.max(own.fromMs, limits.from?.getTime() ?? own.fromMs),
    toMs: Math.min(own.toMs, limits.to?.getTime() ?? own.toMs),
  }
  if (window.fromMs >= window.toMs) return []
  return heavyRead(app, page.orgId, 'booking_slots', async () => {
    const read = await busyAtRevision(app, page, window, page.bufferMinutes, now)
    return read ? freeSlots(page, window, read.busy) : []
  })
}

export async function getSlots(app: App, slug: string, query: SlotsQuery) {
  const page = await requireOpenPage(app, slug)
  return presentSlots(app, page, await slotsOf(app, page, app.clock.now(), query))
}
