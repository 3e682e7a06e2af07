// Parts that the booking pages share.

import { lengthText } from '../../src/bookingPages/times.ts'
import { type Html, html } from './html.ts'
import { linked } from './links.ts'
import type { View } from './view.ts'

const clock = html`<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7.5"/><path d="M10 6v4.3l2.8 1.7"/></svg>`
const pin = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 17.5s5.5-4.9 5.5-9a5.5 5.5 0 0 0-11 0c0 4.1 5.5 9 5.5 9z"/><circle cx="10" cy="8.5" r="2"/></svg>`

const camera = html`<svg viewBox="0 0 20 20" aria-hidden="true"><rect x="2.5" y="5.5" width="10" height="9" rx="1.5"/><path d="M12.5 9l5-2.5v7l-5-2.5"/></svg>`

/** The host, the title, the length, the place. `whole`: with the description, which only the first page needs. */
export const intro = (view: View, { whole = false } = {}): Html => {
  const { page, locale } = view
  const { location, logo_url, conference } = page.details
  return html`<header class="intro">
${logo_url && html`<img class="logo" src="${logo_url}" alt="" referrerpolicy="no-referrer">`}
${hostOf(view)}
<h1 dir="auto">${page.title}</h1>
<p class="fact length">${clock}${lengthText(page.durationMinutes, locale)}</p>
${location && html`<p class="fact place">${pin}<span dir="auto">${linked(location)}</span></p>`}${conference?.provider && html`<p class="fact call">${camera}<span dir="auto">${conference.provider}</span></p>`}
${whole && page.description && descriptionOf(view, page.description)}
</header>`
}

function hostOf({ page }: View): Html | undefined {
  const { host_name, host_organization } = page.details
  if (!host_name && !host_organization) return undefined
  return html`<p class="host">${host_name && html`<bdi class="host-name">${host_name}</bdi>`}${
    host_organization && html`<bdi class="host-organization">${host_organization}</bdi>`
  }</p>`
}

const maxShown = 480
const cutAt = 320

/** A long description is cut where a line or a word ends, so that the times are not far below. */
function descriptionOf({ texts }: View, text: string): Html {
  const isLong = text.length > maxShown || text.split('\n').length > 8
  const cut = isLong ? cutOf(text) : text.length
  const rest = text.slice(cut).trim()
  return html`<p class="description" dir="auto">${linked(text.slice(0, cut).trimEnd())}</p>${
    rest !== '' &&
    html`<details class="rest"><summary>${texts.showMore}</summary><p class="description" dir="auto">${linked(rest)}</p></details>`
  }`
}

function cutOf(text: string): number {
  const lines = text.split('\n').slice(0, 6).join('\n').length
  const end = Math.min(lines, cutAt)
  if (end === lines) return end
  const space = Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end))
  return space > cutAt / 2 ? space : end
}

export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')

/** The day of a slot, and its time from start to end. */
export const slotText = (
  { times, page }: View,
  startMs: number,
  endMs = startMs + page.durationMinutes * 60_000,
): Html => {
  const short = times.zoneName(startMs)
  return html`<strong>${times.dayWithYear(startMs)}</strong><br>
<bdi>${times.time(startMs)}</bdi> – <bdi>${times.time(endMs)}</bdi><br>
<bdi class="muted">${zoneName(times.zone)}${short !== times.zone && html` (${short})`}</bdi>`
}

/** Hidden values of a form. */
export const hiddenFields = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

export const tick = html`<svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M15 24.5l6.5 6.5L33.5 18"/></svg>`
