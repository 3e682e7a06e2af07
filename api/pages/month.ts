// The month of a booking page: a table of days, of which those with free times are links.

import { dateText, firstDayOfWeek, monthOf, nextMonth } from '../../src/bookingPages/times.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

/** `dates`: those with free times, in ascending order. `after`: the content below the table. */
export function monthTable(view: View, dates: readonly number[], month: number, chosen: number, after: Html): Html {
  const { times, texts } = view
  const end = nextMonth(month)
  const free = new Set(dates)
  const today = times.dateAt(view.now.getTime())
  const first = firstDayOfWeek(view.locale)
  // 1970-01-01 was a Thursday, the fourth day of a week that begins on Monday.
  const weekday = (Math.floor(month / dayMs) + 3) % 7
  const start = month - ((weekday - (first - 1) + 7) % 7) * dayMs
  const days = Array.from({ length: 7 }, (_, nth) => nth)
  const weeks = Array.from({ length: Math.ceil((end - start) / (7 * dayMs)) }, (_, week) => start + week * 7 * dayMs)
  const cell = (date: number): Html => {
    if (date < month || date >= end) return html`<td></td>`
    const number = times.number(new Date(date).getUTCDate())
    const isToday = date === today
    const spoken = isToday && html`<span class="spoken"> (${texts.today})</span>`
    if (!free.has(date)) {
      return html`<td><span class="day${date < today && ' past'}${isToday && ' today'}">${number}${spoken}</span></td>`
    }
    const href = view.linkTo({ day: dateText(date) })
    const current = date === chosen && html` aria-current="date"`
    const label = times.dateNamed(date) + (isToday ? ` (${texts.today})` : '')
    return html`<td><a class="day${isToday && ' today'}" href="${href}" data-swap="day" data-nth="${new Date(date).getUTCDate()}" aria-label="${label}"${current}>${number}</a></td>`
  }
  return html`<section class="month" aria-labelledby="month">
<div class="month-head">
${turn(
  view,
  dates.findLast((date) => date < month),
  'previous',
)}
<h2 id="month">${times.monthNamed(month)}</h2>
${turn(
  view,
  dates.find((date) => date >= end),
  'next',
)}
</div>
<table aria-labelledby="month">
<thead><tr>${days.map((nth) => weekdayHead(view, start + nth * dayMs))}</tr></thead>
<tbody data-days>
${weeks.map((week) => html`<tr>${days.map((nth) => cell(week + nth * dayMs))}</tr>\n`)}</tbody>
</table>
${after}
</section>`
}

const weekdayHead = ({ times, language }: View, date: number): Html => {
  const name = times.weekdayNamed(date)
  // The short names of Arabic are whole words: their first letter is what calendars show.
  const short =
    language === 'ar' ? name.replace(/^ال/, '').slice(0, 1) : times.weekdayShort(date).replace('.', '').slice(0, 2)
  return html`<th scope="col" abbr="${name}"><span aria-hidden="true">${short}</span><span class="spoken">${name}</span></th>`
}

/** A link to the nearest month in that direction that has a free day. */
function turn({ times, linkTo }: View, date: number | undefined, way: 'previous' | 'next'): Html {
  const arrow = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${way === 'next' ? 'M8 5l5 5-5 5' : 'M12 5l-5 5 5 5'}"/></svg>`
  if (date === undefined) return html`<span class="turn">${arrow}</span>`
  const month = monthOf(date)
  return html`<a class="turn" id="${way}" href="${linkTo({ month: dateText(month, 7) })}" data-swap="${way}" aria-label="${times.monthNamed(month)}">${arrow}</a>`
}
