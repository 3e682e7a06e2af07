// A zone as RFC 5545 defines it for readers that do not know its name: changes of clocks that come back every year as a rule, others
// by their dates. Pure.
import { firstDayOfMonth, monthLength, monthOfDay, weekdayOf } from '../recurrence/civil.ts'
import { weekdayCodes } from '../recurrence/rule.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { offsetStretches } from '../shapes/zones.ts'
import { folded, wallValue } from './contentLine.ts'

/** Until when dates are listed where there is no rule, and the last of the years that a rule is read from. */
const listedUntil = 2100
const ruleYears = { from: 2041, to: 2050 }

type Change = { year: number; wallMs: number; fromMs: number; toMs: number }

const known = new Map<string, string>()
const maxKnown = 300

/** `sinceMs`: nothing that is told in the zone is earlier. */
export function vtimezoneOf(zone: string, sinceMs: number): string {
  const firstYear = new Date(sinceMs).getUTCFullYear() - 1
  const key = `${zone} ${firstYear}`
  const found = known.get(key)
  if (found !== undefined) return found
  const text = defined(zone, firstYear)
  if (known.size >= maxKnown) known.clear()
  known.set(key, text)
  return text
}

function defined(zone: string, firstYear: number): string {
  const lastYear = Math.max(ruleYears.to, firstYear + ruleYears.to - ruleYears.from)
  const near = changesOf(zone, firstYear, lastYear)
  const rules = rulesOf(near, lastYear)
  const all = rules ? near : changesOf(zone, firstYear, Math.max(listedUntil, lastYear))
  const single = rules ? all.filter(({ year }) => year < rules.fromYear) : all
  const { offsetMs } = offsetStretches(zone, startOf(firstYear), startOf(firstYear) + 1)[0]!
  const first = { wallMs: startOf(firstYear), fromMs: offsetMs, toMs: offsetMs }
  const groups = Map.groupBy(single, ({ fromMs, toMs }) => `${fromMs} ${toMs}`)
  const observances = [
    observance(first, ''),
    ...[...groups.values()].map((changes) => observance(changes[0]!, datesOf(changes.slice(1)))),
    ...(rules?.yearly ?? []).map(({ change, rule }) => observance(change, `RRULE:${rule}\r\n`)),
  ]
  return `BEGIN:VTIMEZONE\r\n${folded(`TZID:${zone}`)}${observances.join('')}END:VTIMEZONE\r\n`
}

function changesOf(zone: string, firstYear: number, lastYear: number): Change[] {
  const stretches = offsetStretches(zone, startOf(firstYear), startOf(lastYear + 1))
  return stretches.slice(1).map(({ fromMs: atMs, offsetMs }, nth) => {
    const before = stretches[nth]!.offsetMs
    const wallMs = atMs + before
    return { year: new Date(wallMs).getUTCFullYear(), wallMs, fromMs: before, toMs: offsetMs }
  })
}

type Yearly = { change: Change; rule: string }

/** The rules that hold from a year on; undefined where the last years follow none, or have no changes. */
function rulesOf(changes: readonly Change[], lastYear: number): { fromYear: number; yearly: Yearly[] } | undefined {
  const byYear = Map.groupBy(changes, ({ year }) => year)
  const last = byYear.get(lastYear)
  if (!last) return undefined
  let days = last.map(daysOf)
  let fromYear = lastYear
  for (let year = lastYear - 1; ; year--) {
    const here = byYear.get(year)
    const common = here && here.length === last.length ? here.map((one, nth) => shared(days[nth]!, daysOf(one))) : []
    if (common.length === 0 || common.some((names) => names.length === 0)) break
    days = common
    fromYear = year
  }
  if (fromYear > lastYear - (ruleYears.to - ruleYears.from)) return undefined
  const yearly = byYear.get(fromYear)!.map((change, nth) => ({ change, rule: days[nth]![0]!.split(' ')[0]! }))
  return { fromYear, yearly }
}

const shared = (a: readonly string[], b: readonly string[]): string[] => a.filter((name) => b.includes(name))

/** How its day may be meant, with what else must come back: the rule first, then the time of day and the offsets. */
function daysOf({ wallMs, fromMs, toMs }: Change): string[] {
  const day = Math.floor(wallMs / dayMs)
  const month = monthOfDay(day)
  const date = day - firstDayOfMonth(month)
  const code = weekdayCodes[weekdayOf(day)]
  const isLast = date + 7 >= monthLength(month)
  return [...(isLast ? [-1] : []), Math.floor(date / 7) + 1].map(
    (nth) => `FREQ=YEARLY;BYMONTH=${(month % 12) + 1};BYDAY=${nth}${code} ${wallMs - day * dayMs} ${fromMs} ${toMs}`,
  )
}

function observance({ wallMs, fromMs, toMs }: Omit<Change, 'year'>, more: string): string {
  const kind = toMs > fromMs ? 'DAYLIGHT' : 'STANDARD'
  return (
    `BEGIN:${kind}\r\nDTSTART:${wallValue(wallMs)}\r\n` +
    `TZOFFSETFROM:${offsetValue(fromMs)}\r\nTZOFFSETTO:${offsetValue(toMs)}\r\n${more}END:${kind}\r\n`
  )
}

/** A line for each: some readers take only the first value of one. */
const datesOf = (changes: readonly Change[]): string =>
  changes.map(({ wallMs }) => `RDATE:${wallValue(wallMs)}\r\n`).join('')

/** `+0100`, with seconds only where there are any. */
function offsetValue(offsetMs: number): string {
  const size = Math.abs(offsetMs)
  const minutes = Math.floor(size / minuteMs)
  const seconds = (size % minuteMs) / 1000
  const parts = [Math.floor(minutes / 60), minutes % 60, ...(seconds > 0 ? [seconds] : [])]
  return (offsetMs < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join('')
}

function startOf(year: number): number {
  const start = new Date(0)
  return start.setUTCFullYear(year)
}
