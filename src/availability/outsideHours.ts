// Whether times lie outside the hours of a calendar: its week, its dates, holidays and time off.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openClosed } from './busy.ts'
import { takeHolidays } from './holidays.ts'
import { rulesOfCalendar } from './queries.ts'

/** `spans`: a flat list of starts and ends, ascending and not empty. */
export async function areOutsideHours(
  { sql }: App,
  { orgId, calendarId }: { orgId: Uuid; calendarId: Uuid },
  spans: readonly number[],
): Promise<boolean> {
  const [rules] = await rulesOfCalendar(sql, orgId, calendarId)
  if (!rules?.workingHours && !rules?.more) return false
  const window = { fromMs: spans[0]!, toMs: spans.at(-1)! }
  const { timezone, more } = rules
  const row = { workingHours: rules.workingHours && JSON.stringify(rules.workingHours), timezone, more }
  await takeHolidays(sql, orgId, [row], window)
  const closed = openClosed(window)(row)?.times ?? []
  let at = 0
  for (let i = 0; i < spans.length; i += 2) {
    while (at < closed.length && closed[at + 1]! <= spans[i]!) at += 2
    if (at < closed.length && closed[at]! < spans[i + 1]!) return true
  }
  return false
}
