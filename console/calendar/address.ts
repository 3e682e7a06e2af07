// The address of the calendar: which days, calendars and zones it shows. Pure.
import { isDate, type View, views } from './dates.ts'

export type Address = {
  view: View
  date: string
  /** The calendars that are shown. */
  cal: readonly string[]
  isSplit: boolean
  tz: string
  /** Empty: there is no second one. */
  tz2: string
  event: string | undefined
}

type Defaults = { view: View; today: string; tz: string; tz2: string; calendars: readonly string[] }

/** Stands for no calendar or no second zone at all, since an absent parameter means the usual ones. */
const none = '-'
const shownAtFirst = 5
const splitUpTo = 3

function isZone(zone: string | undefined): zone is string {
  try {
    return Boolean(zone) && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** A value that makes no sense counts as left out. */
export function readAddress(values: Readonly<Record<string, string | undefined>>, defaults: Defaults): Address {
  const { view, date, columns, tz, tz2, event } = values
  const ids = values.cal?.split(',')
  const cal = ids ? defaults.calendars.filter((id) => ids.includes(id)) : defaults.calendars.slice(0, shownAtFirst)
  const zone = isZone(tz) ? tz : defaults.tz
  const second = tz2 === none ? '' : isZone(tz2) ? tz2 : defaults.tz2
  return {
    view: views.find((one) => one === view) ?? defaults.view,
    date: isDate(date) ? date : defaults.today,
    cal,
    isSplit: columns === 'split' || (columns !== 'together' && cal.length <= splitUpTo),
    tz: zone,
    tz2: second === zone ? '' : second,
    event,
  }
}

export const calOf = (ids: readonly string[]): string => ids.join(',') || none

export const tz2Of = (zone: string): string => zone || none

/** An event, or one occurrence of a series by the start that the series gives it. */
export const eventParam = ({ id, original }: EventRef): string => (original ? `${id}@${original}` : id)

export type EventRef = { id: string; original?: string }

export function eventOf(param: string): EventRef {
  const [id, original] = param.split('@')
  return { id: id!, ...(original && { original }) }
}
