// Whether times lie outside the working hours of a calendar.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { outsideHours } from './hours.ts'
import { rulesOfCalendar } from './queries.ts'

/** `spans`: a flat list of starts and ends, ascending and not empty. */
export async function areOutsideHours(
  { sql }: App,
  { orgId, calendarId }: { orgId: Uuid; calendarId: Uuid },
  spans: readonly number[],
): Promise<boolean> {
  const [rules] = await rulesOfCalendar(sql, orgId, calendarId)
  if (!rules?.workingHours) return false
  const closed = outsideHours(rules.workingHours, rules.timezone, { fromMs: spans[0]!, toMs: spans.at(-1)! })
  let at = 0
  for (let i = 0; i < spans.length; i += 2) {
    while (at < closed.length && closed[at + 1]! <= spans[i]!) at += 2
    if (at < closed.length && closed[at]! < spans[i + 1]!) return true
  }
  return false
}
