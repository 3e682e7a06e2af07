// Parts that the booking pages share.
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

export const intro = ({ page }: View): Html => html`<header class="intro">
<h1 dir="auto">${page.title}</h1>
<p class="length"><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7.5"/><path d="M10 6v4.3l2.8 1.7"/></svg>${lengthOf(page.durationMinutes)}</p>
${page.description && html`<p class="description" dir="auto">${page.description}</p>`}
</header>`

function lengthOf(minutes: number): string {
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours === 1 ? '1 hour' : `${hours} hours`, rest > 0 && `${rest} minutes`].filter(Boolean).join(' ')
}

export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')

/** The day of a slot, and its time from start to end. */
export const slotText = ({ times, page }: View, startMs: number): Html => {
  const endMs = startMs + page.durationMinutes * 60_000
  const short = times.zoneName(startMs)
  return html`<strong>${times.dayWithYear(startMs)}</strong><br>
${times.time(startMs)} – ${times.time(endMs)}<br>
<span class="muted">${zoneName(times.zone)}${short !== times.zone && html` (${short})`}</span>`
}
