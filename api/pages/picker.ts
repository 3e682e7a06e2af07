// The first page of a booking: a month to choose a day from, and the free times of that day.
import { weekdays } from '../../src/availability/hours.ts'
import type { GuestPage } from '../../src/booking/guest.ts'
import { windowOf } from '../../src/booking/slots.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { type Html, html } from './html.ts'
import { intro, zoneName } from './parts.ts'
import { datesOf, dateText, monthOf, nextMonth } from './times.ts'
import type { View } from './view.ts'
import { zonesWith } from './zones.ts'

/** The parameters of the address that choose the month and the day. */
type Shown = { month?: string; day?: string }

/** The starts of each date; both in ascending order. */
type FreeDays = Map<number, number[]>

export function pickerOf(view: View, slots: readonly number[], shown: Shown, now: Date, notice?: string): Html {
  const { page } = view
  const days = freeDays(view, slots, now)
  const dates = [...days.keys()]
  const asked = shown.day === undefined ? undefined : Date.parse(shown.day)
  const month = monthShown(dates, shown, asked)
  const chosen =
    asked !== undefined && days.has(asked)
      ? asked
      : dates.find((date) => month !== undefined && monthOf(date) === month)
  return html`<main class="card" id="main" data-view="picker" data-zone="${view.times.zone}">
${intro(view)}
${notice && html`<p class="notice" role="alert">${notice}</p>`}
<form class="zone" method="get" action="${view.path}" data-zone-form>
<label for="zone">Times are shown in</label>
<select id="zone" name="zone" autocomplete="off">${zoneOptions(page, view.times.zone)}</select>
<button class="quiet">Change</button>
</form>
${
  month === undefined || chosen === undefined
    ? !notice && nothingFree(page)
    : html`<div class="when">
${monthTable(view, dates, month, chosen)}
${timesOfDay(view, chosen, days.get(chosen)!)}
</div>`
}
</main>`
}

function freeDays({ page, times }: View, slots: readonly number[], now: Date): FreeDays {
  const starts = slots.filter((_, nth) => nth % 2 === 0)
  const days: FreeDays = new Map()
  let nth = 0
  for (const date of datesOf(starts, times.zone, windowOf(page, now))) {
    const ofDay = days.get(date)
    if (ofDay) ofDay.push(starts[nth++]!)
    else days.set(date, [starts[nth++]!])
  }
  return days
}

/** The requested month if it has free days, or else the next one that has, or else the last. */
function monthShown(dates: readonly number[], { month }: Shown, day: number | undefined): number | undefined {
  const asked = month === undefined ? day : Date.parse(`${month}-01`)
  if (asked === undefined) return dates.length > 0 ? monthOf(dates[0]!) : undefined
  const wanted = monthOf(asked)
  const later = dates.find((date) => monthOf(date) >= wanted) ?? dates.at(-1)
  return later === undefined ? undefined : monthOf(later)
}

function monthTable(view: View, dates: readonly number[], month: number, chosen: number): Html {
  const { times } = view
  const end = nextMonth(month)
  const free = new Set(dates)
  const before = dates.findLast((date) => date < month)
  const after = dates.find((date) => date >= end)
  // Weeks begin on Monday; 1970-01-01 was a Thursday.
  const monday = month - ((Math.floor(month / dayMs) + 3) % 7) * dayMs
  const weeks = Array.from({ length: Math.ceil((end - monday) / (7 * dayMs)) }, (_, week) => monday + week * 7 * dayMs)
  const cell = (date: number): Html => {
    const number = new Date(date).getUTCDate()
    if (date < month || date >= end) return html`<td></td>`
    if (!free.has(date)) return html`<td><span class="day">${number}</span></td>`
    const href = view.linkTo({ day: dateText(date) })
    const current = date === chosen && html` aria-current="date"`
    return html`<td><a class="day" href="${href}" data-swap="day" aria-label="${times.dateNamed(date)}"${current}>${number}</a></td>`
  }
  return html`<section class="month" aria-labelledby="month">
<div class="month-head">
${turn(view, before, 'previous')}
<h2 id="month">${times.monthNamed(month)}</h2>
${turn(view, after, 'next')}
</div>
<table aria-labelledby="month">
<thead><tr>${weekdays.map((_, nth) => weekdayHead(view, nth))}</tr></thead>
<tbody data-days>
${weeks.map((week) => html`<tr>${weekdays.map((_, nth) => cell(week + nth * dayMs))}</tr>\n`)}</tbody>
</table>
</section>`
}

const aMonday = Date.UTC(1970, 0, 5)

const weekdayHead = ({ times }: View, nth: number): Html => {
  const name = times.weekdayNamed(aMonday + nth * dayMs)
  return html`<th scope="col" abbr="${name}"><span aria-hidden="true">${name.slice(0, 2)}</span><span class="spoken">${name}</span></th>`
}

/** A link to the nearest month in that direction that has a free day. */
function turn({ times, linkTo }: View, date: number | undefined, way: 'previous' | 'next'): Html {
  const arrow = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${way === 'next' ? 'M8 5l5 5-5 5' : 'M12 5l-5 5 5 5'}"/></svg>`
  if (date === undefined) return html`<span class="turn">${arrow}</span>`
  const month = monthOf(date)
  return html`<a class="turn" id="${way}" href="${linkTo({ month: dateText(month, 7) })}" data-swap="${way}" aria-label="${times.monthNamed(month)}">${arrow}</a>`
}

function timesOfDay({ times, linkTo }: View, date: number, starts: readonly number[]): Html {
  const labels = starts.map((start) => times.time(start))
  const twice = new Set(labels.filter((label, nth) => labels.indexOf(label) !== nth))
  const time = (start: number, nth: number): Html => {
    const label = labels[nth]!
    return html`<li><a class="time" href="${linkTo({ slot: new Date(start).toISOString() })}">${label}${
      twice.has(label) && html` <small>${times.zoneName(start)}</small>`
    }</a></li>\n`
  }
  return html`<section class="times" aria-labelledby="day">
<h2 id="day" tabindex="-1">${times.dateNamed(date)}</h2>
<p class="count">${starts.length === 1 ? 'One free time' : `${starts.length} free times`}</p>
<ul>
${starts.map(time)}</ul>
</section>`
}

const nothingFree = ({ windowDays }: GuestPage): Html => html`<section class="empty">
<h2>No free times</h2>
<p>There are no free times in the next ${windowDays === 1 ? '24 hours' : `${windowDays} days`}. Please look again later.</p>
</section>`

const zoneOptions = ({ timezone }: GuestPage, chosen: string): Html[] =>
  zonesWith(timezone, chosen).map(
    (zone) => html`<option value="${zone}"${zone === chosen && html` selected`}>${zoneName(zone)}</option>\n`,
  )
