// The view of guests on a page: whether it exists, and its free slots.
import type { App } from '../app.ts'
import { blockedBy } from '../availability/blocked.ts'
import { busyAtRevision, busyForGuests } from '../availability/busyAtRevision.ts'
import { outsideHours } from '../availability/hours.ts'
import { gaps, merged, type Window } from '../availability/intervals.ts'
import type { Omitted } from '../availability/judge.ts'
import { presentExplained } from '../availability/presentExplained.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { sha256 } from '../sealing/sealer.ts'
import { minuteMs } from '../shapes/durations.ts'
import { eachStart, type FreeStarts, firstPart, freeStarts, nothingFree, slotsFrom } from './freeStarts.ts'
import { presentSlots } from './present.ts'
import { openPage, type PageRow, type PublicPageRow } from './queries.ts'
import type { SlotsQuery } from './schema.ts'
import { windowOf } from './slots.ts'

/** With the address by which the guest came: the other one, which may be secret, is not shown. */
export type ShownPage = PageRow & { slug: string }
export type GuestPage = PublicPageRow & ShownPage

/** A guest cannot tell why a page is missing: never made, deleted, switched off, or its calendar or organization is closed. */
export async function requireOpenPage({ sql }: App, slug: string): Promise<GuestPage> {
  const [page] = await openPage(sql, slug)
  if (!page) throw notFound('booking page')
  return { ...page, slug: page.slugHash.equals(sha256(slug)) ? slug : page.vanitySlug! }
}

/** The page's own window, narrowed by `limits`. Its end may lie before its start: then it has no slots. */
function windowFor(page: PageRow, now: Date, { from, to }: Limits): Window {
  const own = windowOf(page, now)
  return {
    fromMs: Math.max(own.fromMs, from?.getTime() ?? own.fromMs),
    toMs: Math.min(own.toMs, to?.getTime() ?? own.toMs),
  }
}

type Limits = Pick<SlotsQuery, 'from' | 'to'>

/** `omitted`: a booking that is to be moved. `isKnown`: false if it is not known when the owner is busy elsewhere; then nothing is offered. */
export const offerOf = (app: App, page: PageRow, now: Date, limits: Limits = {}, omitted: Omitted = {}) =>
  offerIn(app, page, windowFor(page, now, limits), now, omitted)

async function offerIn(
  app: App,
  page: PageRow,
  window: Window,
  now: Date,
  omitted: Omitted = {},
): Promise<{ free: FreeStarts; isKnown: boolean }> {
  if (window.fromMs >= window.toMs) return { free: nothingFree, isKnown: true }
  return heavyRead(app, page.orgId, 'booking_slots', async () => {
    const read = await busyAtRevision(app, page, window, page.bufferMinutes, now, omitted)
    if (!read?.isOpen) return { free: nothingFree, isKnown: read === undefined }
    return { free: freeStarts(page, window, read.busy, read.rooms), isKnown: true }
  })
}

/** As much as one answer holds; `next_from` says where the rest begins. */
export async function getSlots(app: App, slug: string, query: SlotsQuery) {
  const page = await requireOpenPage(app, slug)
  const now = app.clock.now()
  const { window, nextMs } = firstPart(page, windowFor(page, now, query))
  const read = query.explain ? explainedSlots : plainSlots
  const { slots, why } = await read(app, page, now, window)
  return { ...presentSlots(page, slots, nextMs), ...why }
}

async function plainSlots(app: App, page: GuestPage, now: Date, window: Window) {
  const { free } = await offerIn(app, page, window, now)
  return { slots: slotsFrom(eachStart(free), free), why: {} }
}

/** Times outside the window are not asked about. */
async function explainedSlots(app: App, page: GuestPage, now: Date, shown: Window) {
  const window = { fromMs: shown.fromMs, toMs: Math.max(shown.fromMs, shown.toMs) }
  return heavyRead(app, page.orgId, 'booking_slots', async () => {
    const read = await busyForGuests(app, page, window, page.bufferMinutes, now)
    if (!read) throw notFound('booking page')
    const { isOpen } = read
    const free = isOpen ? freeStarts(page, window, read.busy, read.rooms) : nothingFree
    const slots = slotsFrom(eachStart(free), free)
    const isLimited = isOpen && slots.length === 0 && freeStarts(page, window, read.busy).runs.length > 0
    const { availabilityConstraints: hours, timezone } = page
    const closed = hours ? outsideHours(hours, timezone, window) : []
    read.addClosed(closed)
    const why = presentExplained(blockedBy(read.pieces), {
      window,
      free: isOpen ? gaps(merged([...read.busy, ...closed], window), window) : [],
      isOpen,
      isLimited,
      slots,
      durationMs: page.durationMinutes * minuteMs,
    })
    return { slots, why }
  })
}
