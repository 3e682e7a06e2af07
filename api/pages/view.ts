// A page as one guest sees it.
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../../src/app.ts'
import type { GuestPage } from '../../src/booking/guest.ts'
import { slugOf } from '../../src/booking/present.ts'
import { rootOf } from '../http/root.ts'
import { localeOf, openTimes, type Times } from './times.ts'
import { currentName } from './zones.ts'

export type View = {
  page: GuestPage
  times: Times
  /** The path of the page itself. */
  path: string
  /** The path of another part of the page, in the same zone. */
  linkTo(part: { day?: string; month?: string; slot?: string }): string
}

/** `zone`: the guest's own, if it is known. */
export function viewOf(app: App, headers: IncomingHttpHeaders, page: GuestPage, zone: string | undefined): View {
  const path = `${rootOf(app)}/book/${slugOf(app, page)}`
  return {
    page,
    times: openTimes({ zone: currentName(zone ?? page.timezone), locale: localeOf(headers['accept-language']) }),
    path,
    linkTo(part) {
      const query = new URLSearchParams({ ...part, ...(zone !== undefined && { zone }) }).toString()
      return query === '' ? path : `${path}?${query}`
    },
  }
}
