// Links that open the form of a calendar on the web with a booking filled in. They contain the data that the guest would type
// there, but not the secret address of the booking.

import { filled } from '../../src/bookingPages/languages/languages.ts'
import type { ShownPage } from '../../src/bookingPages/pageForGuest.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

type Times = { start: Date; end: Date }

const compact = (at: Date): string => at.toISOString().replace(/[-:]|[.]\d{3}/g, '')

const maxDetails = 1_000

const googleAddress = ({ title, description, details }: ShownPage, { start, end }: Times): string =>
  `https://calendar.google.com/calendar/render?${new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(start)}/${compact(end)}`,
    ...(description && { details: description.slice(0, maxDetails) }),
    ...(details.location && { location: details.location }),
  })}`

const outlookAddress = (host: string, { title, description, details }: ShownPage, { start, end }: Times): string =>
  `https://${host}/calendar/0/deeplink/compose?${new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: start.toISOString(),
    enddt: end.toISOString(),
    ...(description && { body: description.slice(0, maxDetails) }),
    ...(details.location && { location: details.location }),
  })}`

/** Next to the button with the file. */
export function webCalendars({ page, texts }: View, times: Times): Html {
  const ways = [
    ['Google Calendar', googleAddress(page, times)],
    ['Outlook.com', outlookAddress('outlook.live.com', page, times)],
    ['Microsoft 365', outlookAddress('outlook.office.com', page, times)],
  ] as const
  return html`<ul class="add-to">
${ways.map(
  ([name, address]) =>
    html`<li><a href="${address}" target="_blank" rel="noopener noreferrer nofollow" aria-label="${filled(texts.addTo, { name })}">${name}</a></li>\n`,
)}</ul>`
}
