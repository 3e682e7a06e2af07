// What guests see of a page: whether it is there, and when it is free.
import type { App } from '../app.ts'
import type { Window } from '../availability/intervals.ts'
import { takenTime } from '../availability/taken.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { presentSlots } from './present.ts'
import { openPage, type PublicPageRow } from './queries.ts'
import type { SlotsQuery } from './schema.ts'
import { freeSlots, windowOf } from './slots.ts'

export type { PublicPageRow as GuestPage } from './queries.ts'

/** One that never was, is deleted or switched off, or whose calendar or organization is closed: all the same to a guest. */
export async function requireOpenPage({ sql }: App, slug: string): Promise<PublicPageRow> {
  const [page] = await openPage(sql, slug)
  if (!page) throw notFound('booking page')
  return page
}

/** Flat, epoch ms. `limits` narrow the page's own window. */
export async function slotsOf(app: App, page: PublicPageRow, now: Date, limits: SlotsQuery = {}): Promise<number[]> {
  const own = windowOf(page, now)
  const window: Window = {
    fromMs: Math.max(own.fromMs, limits.from?.getTime() ?? own.fromMs),
    toMs: Math.min(own.toMs, limits.to?.getTime() ?? own.toMs),
  }
  if (window.fromMs >= window.toMs) return []
  return heavyRead(app, page.orgId, 'booking_slots', async () => {
    const time = await takenTime(app, page, window, page.bufferMinutes, now)
    return time ? freeSlots(page, window, time.taken) : []
  })
}

export async function getSlots(app: App, slug: string, query: SlotsQuery) {
  const page = await requireOpenPage(app, slug)
  return presentSlots(app, page, await slotsOf(app, page, app.clock.now(), query))
}
