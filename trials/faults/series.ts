// Series over a change of the clocks, whose occurrences are edited, taken back, cancelled and split: each is there once, at its own time,
// under the title that it was given last.
import { randomUUID } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '../../src/shapes/durations.ts'
import { askOnce, isDone, listAll, type Told } from './asking.ts'
import { any, iso, type Kind, openPile, timesFrom } from './kind.ts'
import { dailyStarts } from './localDays.ts'
import type { Tenant } from './tenants.ts'

/** One occurrence. `start` and `title` differ from those of its series where they are its own. */
type Slot = { seriesId: string; original: number; start: number; title: string; isOwn: boolean }
type Step = {
  method: 'PATCH' | 'DELETE'
  query?: string
  body?: object
  after(slots: readonly Slot[], told?: Told): Slot[]
}

/** `wanted`: what may be there; more than one if the last answer did not come. */
type Series = { tenant: Tenant; calendarId: string; tag: string; wanted: (readonly Slot[])[]; refusals: string[] }

const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const count = 8
const maxSteps = 4
const lengthMs = 30 * minuteMs
const timesAt = (start: number) => timesFrom(start, lengthMs)

const edit = (slot: Slot, tag: string): Step => {
  const own = { start: slot.original + any([-2, 1, 3]) * hourMs, title: `Edited ${randomUUID()} of ${tag}` }
  return {
    method: 'PATCH',
    body: { title: own.title, ...timesAt(own.start) },
    after: (slots) => slots.map((one) => (one === slot ? { ...one, ...own, isOwn: true } : one)),
  }
}

const revert = (slot: Slot, slots: readonly Slot[]): Step => {
  const { title } = slots.find(({ seriesId, isOwn }) => seriesId === slot.seriesId && !isOwn) ?? slot
  return {
    method: 'DELETE',
    query: '&revert=true',
    after: (all) => all.map((one) => (one === slot ? { ...one, start: one.original, title, isOwn: false } : one)),
  }
}

const cancel = (slot: Slot): Step => ({ method: 'DELETE', after: (slots) => slots.filter((one) => one !== slot) })

/** Half an hour later from there on, and under another title. */
const split = (slot: Slot, tag: string): Step => {
  const title = `Later ${randomUUID()} of ${tag}`
  const moved = (one: Slot, seriesId: string): Slot => ({
    ...{ seriesId, original: one.original + lengthMs, start: one.start + lengthMs, isOwn: one.isOwn },
    title: one.isOwn ? one.title : title,
  })
  return {
    method: 'PATCH',
    query: '&scope=following',
    body: { title, ...timesAt(slot.original + lengthMs) },
    after: (slots, told) =>
      slots.map((one) =>
        one.seriesId === slot.seriesId && one.original >= slot.original
          ? moved(one, told?.body.series.id ?? 'unknown')
          : one,
      ),
  }
}

/** An occurrence that is not the first of its series: from there it can be split. One with plain ones beside it can be taken back. */
function anyStep(slots: readonly Slot[], tag: string): [Slot, Step] {
  const slot = any(slots)
  const mates = slots.filter(({ seriesId }) => seriesId === slot.seriesId)
  if (slot.isOwn && mates.some(({ isOwn }) => !isOwn)) return [slot, any([edit(slot, tag), revert(slot, slots)])]
  if (!slot.isOwn && mates.some(({ original, isOwn }) => original < slot.original && !isOwn))
    return [slot, any([edit(slot, tag), cancel(slot), split(slot, tag)])]
  return [slot, edit(slot, tag)]
}

export function openSeries(): Kind {
  const pile = openPile<Series>()
  return {
    weight: 6,
    async tell(tenant) {
      const tag = `${randomUUID()} of ${tenant.mark}`
      const series: Series = { tenant, calendarId: any(tenant.openIds), tag, wanted: [[]], refusals: [] }
      pile.add(series)
      await makeAndChange(series)
    },
    async judge(findings) {
      for (const { tenant, calendarId, tag, wanted, refusals } of pile.take()) {
        for (const refusal of refusals) findings.add('promise', `the series ${tag}: ${refusal}`)
        const path = `/v1/calendars/${calendarId}/events?expand=true`
        const shown = await listAll(
          tenant.api,
          `${path}&start_after=${iso(Date.now())}&start_before=${iso(Date.now() + 365 * dayMs)}`,
        )
        const mine = shown.filter(({ metadata }) => metadata.tag === tag.slice(0, 36))
        const found = mine.map(({ startTime, title }) => `${startTime} ${title}`).sort()
        const all = wanted.map((slots) => slots.map(({ start, title }) => `${iso(start)} ${title}`).sort())
        if (all.some((one) => one.join() === found.join())) continue
        const most = Math.max(...all.map((one) => one.length))
        const kind =
          found.length < Math.min(...all.map((one) => one.length)) ? 'lost' : found.length > most ? 'twice' : 'half'
        findings.add(
          kind,
          `the series ${tag} has ${found.join(', ')}, not ${all.map((one) => one.join(', ')).join(' or ')}`,
        )
      }
    },
  }
}

async function makeAndChange(series: Series): Promise<void> {
  const { tenant, calendarId, tag } = series
  const zone = any(zones)
  const starts = dailyStarts(zone, Date.now() + 30 * dayMs, count)
  const path = `/v1/calendars/${calendarId}/events`
  const title = `Series ${tag}`
  const made = await askOnce(tenant.api, 'POST', path, {
    ...{ title, ...timesAt(starts[0]!), reminders: [], metadata: { tag: tag.slice(0, 36) } },
    ...{ recurrence_rule: `FREQ=DAILY;COUNT=${count}`, recurrence_timezone: zone },
  })
  const slotsOf = (seriesId: string) =>
    starts.map((start): Slot => ({ seriesId, original: start, start, title, isOwn: false }))
  if (!made) series.wanted.push(slotsOf('unknown'))
  if (!isDone(made)) return void (made && series.refusals.push(`${made.status} ${JSON.stringify(made.body)}`))
  series.wanted = [slotsOf(made.body.id)]
  for (let nth = 0; nth < maxSteps; nth++) {
    const [slots] = series.wanted as [readonly Slot[]]
    const [slot, { method, query = '', body, after }] = anyStep(slots, tag)
    const at = `${path}/${slot.seriesId}?occurrence_start=${iso(slot.original)}${query}`
    const told = await askOnce(tenant.api, method, at, body)
    if (!told) series.wanted.push(after(slots))
    if (!isDone(told))
      return void (told && series.refusals.push(`${method} ${at}: ${told.status} ${JSON.stringify(told.body)}`))
    series.wanted = [after(slots, told)]
  }
}
