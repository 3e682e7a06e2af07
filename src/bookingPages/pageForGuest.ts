// What guests see of a page: whether it exists, and its free slots.
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
import { presentSlots } from './present.ts'
import { openPage, type PublicPageRow } from './queries.ts'
import type { SlotsQuery } from './schema.ts'
import { freeSlots, windowOf } from './slots.ts'

/** With the address by which the guest came: the other one, which may be secret, is not shown. */
export type GuestPage = PublicPageRow & { slug: string }

/** A guest cannot tell why a page is missing: never made, deleted, switched off, or its calendar or organization is closed. */
export async function requireOpenPage({ sql }: App, slug: string): Promise<GuestPage> {
  const [page] = await openPage(sql, slug)
  if (!page) throw notFound('booking page')
  return { ...page, slug: page.slugHash.equals(sha256(slug)) ? slug : page.vanitySlug! }
}

/** The page's own window, narrowed by `limits`. Its end may lie before its start: then there is none. */
function windowFor(page: PublicPageRow, now: Date, { from, to }: Limits): Window {
  const own = windowOf(page, now)
  return {
    fromMs: Math.max(own.fromMs, from?.getTime() ?? own.fromMs),
    toMs: Math.min(own.toMs, to?.getTime() ?? own.toMs),
  }
}

type Limits = Pick<SlotsQuery, 'from' | 'to'>

/** A flat list of epoch ms, like `Intervals`. */
export const slotsOf = async (app: App, page: PublicPageRow, now: Date, limits: Limits = {}): Promise<number[]> =>
  (await offerOf(app, page, now, limits)).slots

/** `omitted`: a booking that is to be moved. `isKnown`: false if it is not known when the owner is busy elsewhere; then nothing is offered. */
export async function offerOf(
  app: App,
  page: PublicPageRow,
  now: Date,
  limits: Limits = {},
  omitted: Omitted = {},
): Promise<{ slots: number[]; isKnown: boolean }> {
  const window = windowFor(page, now, limits)
  if (window.fromMs >= window.toMs) return { slots: [], isKnown: true }
  return heavyRead(app, page.orgId, 'booking_slots', async () => {
    const read = await busyAtRevision(app, page, window, page.bufferMinutes, now, omitted)
    if (!read?.isOpen) return { slots: [], isKnown: read === undefined }
    return { slots: freeSlots(page, window, read.busy), isKnown: true }
  })
}

export async function getSlots(app: App, slug: string, query: SlotsQuery) {
  const page = await requireOpenPage(app, slug)
  const now = app.clock.now()
  if (query.explain) return explainedSlots(app, page, now, query)
  return presentSlots(page, await slotsOf(app, page, now, query))
}

/** What is outside the page's window is not asked about. */
async function explainedSlots(app: App, page: GuestPage, now: Date, limits: Limits) {
  const { fromMs, toMs } = windowFor(page, now, limits)
  const window = { fromMs, toMs: Math.max(fromMs, toMs) }
  return heavyRead(app, page.orgId, 'booking_slots', async () => {
    const read = await busyForGuests(app, page, window, page.bufferMinutes, now)
    if (!read) throw notFound('booking page')
    const { isOpen } = read
    const slots = isOpen ? freeSlots(page, window, read.busy) : []
    const { availabilityConstraints: hours, timezone } = page
    const closed = hours ? outsideHours(hours, timezone, window) : []
    read.addClosed(closed)
    const why = presentExplained(blockedBy(read.pieces), {
      window,
      free: isOpen ? gaps(merged([...read.busy, ...closed], window), window) : [],
      isOpen,
      slots,
      durationMs: page.durationMinutes * minuteMs,
    })
    return { ...presentSlots(page, slots), ...why }
  })
}
