// The page of a booking as its guest sees it: in the language and zone in which it was booked, unless the address says otherwise.
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../../src/app.ts'
import type { Found } from '../../src/bookingPages/bookings.ts'
import { rootOf } from '../http/root.ts'
import { type View, type ViewOptions, viewOf } from './view.ts'

/** `kept`: parameters that links to other parts of the page have. */
export const bookingView = (
  app: App,
  headers: IncomingHttpHeaders,
  { page, guest }: Found,
  { zone = guest.zone, lang = guest.language, clock = guest.clock }: ViewOptions,
  kept: Record<string, string> = {},
): View =>
  viewOf(app, headers, { ...page, slug: '' }, { zone, lang, clock, kept }, `${rootOf(app)}/booking/${guest.token}`)
