// The first page of a booking: a month to choose a day from, and the free times of that day.

import { type FreeStarts, freeDates, startsOn } from '../../src/bookingPages/freeStarts.ts'
import { counted } from '../../src/bookingPages/languages/languages.ts'
import type { ShownPage } from '../../src/bookingPages/pageForGuest.ts'
import { windowOf } from '../../src/bookingPages/slots.ts'
import { type Clock, type DayPart, dateText, dayParts, monthOf } from '../../src/bookingPages/times.ts'
import { contactOf } from './contact.ts'
import { type Html, html, type Part } from './html.ts'
import { monthTable } from './month.ts'
import { hiddenFields, intro } from './parts.ts'
import type { View } from './view.ts'
import { offsetText, zoneCity, zonesWith } from './zones.ts'

/** The parameters of the address that choose the month and the day. */
type Shown = { month?: string | undefined; day?: string | undefined }

/** `head`: the part above the times, if not the introduction of the page. */
export function pickerOf(view: View, free: FreeStarts, shown: Shown, notice?: string, head?: Part): Html {
  const { zone } = view.times
  const dates = freeDates(free, zone, windowOf(view.page, view.now))
  const asked = shown.day === undefined ? undefined : Date.parse(shown.day)
  const month = monthShown(dates, shown, asked)
  const chosen =
    asked !== undefined && dates.includes(asked)
      ? asked
      : dates.find((date) => month !== undefined && monthOf(date) === month)
  return html`<main class="card picker" id="main" data-view="picker" data-zone="${zone}">
${head ?? intro(view, { whole: true })}
${notice && html`<p class="notice" role="alert">${notice}</p>`}
${
  month === undefined || chosen === undefined
    ? !notice && nothingFree(view)
    : html`<div class="when">
${monthTable(view, dates, month, chosen, html`${zoneForm(view)}${clockSwitch(view, chosen)}`)}
${timesOfDay(view, chosen, startsOn(free, chosen, zone))}
</div>`
}
</main>`
}

/** The requested month if it has free days, or else the next one that has, or else the last. */
function monthShown(dates: readonly number[], { month }: Shown, day: number | undefined): number | undefined {
  const asked = month === undefined ? day : Date.parse(`${month}-01`)
  if (asked === undefined) return dates.length > 0 ? monthOf(dates[0]!) : undefined
  const first = monthOf(asked)
  const later = dates.find((date) => monthOf(date) >= first) ?? dates.at(-1)
  return later === undefined ? undefined : monthOf(later)
}

function timesOfDay(view: View, date: number, starts: readonly number[]): Html {
  const { times, linkTo, texts, locale } = view
  const labels = new Map(starts.map((start) => [start, times.time(start)]))
  const seen = [...labels.values()]
  const twice = new Set(seen.filter((label, nth) => seen.indexOf(label) !== nth))
  const time = (start: number): Html => {
    const label = labels.get(start)!
    return html`<li><a class="time" href="${linkTo({ slot: new Date(start).toISOString() })}"><bdi>${label}</bdi>${
      twice.has(label) && html` <small>${times.zoneName(start)}</small>`
    }</a></li>\n`
  }
  const groups = Map.groupBy(starts, (start) => times.partOfDay(start))
  const group = (part: DayPart): Html | false => {
    const ofPart = groups.get(part)
    return (
      ofPart !== undefined &&
      html`<h3>${texts[part]}</h3>
<ul>
${ofPart.map(time)}</ul>
`
    )
  }
  return html`<section class="times" aria-labelledby="day">
<h2 id="day" tabindex="-1">${times.dateNamed(date)}</h2>
<p class="count">${counted(texts.available, starts.length, locale)}</p>
<div class="of-day">
${(Object.keys(dayParts) as DayPart[]).map(group)}</div>
</section>`
}

const nothingFree = (view: View): Html => {
  const { page, texts, locale } = view
  return html`<section class="empty">
<h2>${texts.noTimes}</h2>
<p>${page.windowDays === 1 ? texts.noTimesToday : counted(texts.noTimesInDays, page.windowDays, locale)}</p>
${contactOf(view)}
</section>`
}

/** The chosen clock is text, the other one a link. */
const clockSwitch = ({ texts, times, linkTo }: View, chosen: number): Html => {
  const one = (clock: Clock, name: string) =>
    clock === times.clock
      ? html`<span class="on">${name}</span>`
      : html`<a id="clock" href="${linkTo({ day: dateText(chosen), clock })}" data-swap="clock">${name}</a>`
  return html`<p class="clock"><span class="muted">${texts.timeFormat}</span> ${one('12', texts.clock12)} ${one('24', texts.clock24)}</p>`
}

/** The browser searches in the list, by name and by offset. */
const zoneForm = (view: View): Html => html`<form class="zone" method="get" action="${view.path}" data-zone-form>
<div class="named"><label for="zone">${view.texts.timeZone}</label> <bdi id="offset">${offsetText(view.times.zone, view.now.getTime())}</bdi></div>
<input id="zone" name="zone" type="text" list="zones" aria-describedby="offset" value="${view.times.zone}" dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="64">
<datalist id="zones">
${zoneOptions(view.page, view)}</datalist>
${hiddenFields(view.kept)}
<button class="quiet">${view.texts.change}</button>
</form>`

const zoneOptions = ({ timezone }: ShownPage, { times, now }: View): Html[] =>
  zonesWith(timezone, times.zone).map(
    (zone) => html`<option value="${zone}">${zoneCity(zone)} (${offsetText(zone, now.getTime())})</option>\n`,
  )
