// The forms that src/events still uses.
import type { App } from '../app.ts'
import type { Effects } from '../changes/commitParts.ts'
import { again } from '../changes/decide.ts'
import { type Step, step } from '../changes/step.ts'
import { openTurns } from '../changes/turns.ts'
import { overloaded } from '../errors.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { Identifier } from '../stores/template.ts'
import { bumpCalendars as bump, asDecided as isAsDecided } from './writes.ts'

export { again as stale } from '../changes/decide.ts'
export { bumpCalendar, bumpSeenEvent, bumpSeenHolds, countChange } from './writes.ts'

export const asDecided = (app: App, calendar: { defaultReminders: number[] | null }, cap?: Fragment) =>
  isAsDecided(app, calendar, cap && (new Identifier('did_cap') as Step))

export const bumpCalendars = (app: App): Effects => {
  const [locked, bumped] = bump(app, new Identifier('did_items') as Step)
  return { locked_calendars: locked, bumped: step('bumped', bumped.body) }
}

const inTurn = openTurns()

export const onCalendar = <T>(calendarId: Uuid, decide: () => Promise<T | typeof again>): Promise<T> =>
  inTurn(calendarId, async () => {
    for (let tries = 0; tries < 40; tries++) {
      const outcome = await decide()
      if (outcome !== again) return outcome
    }
    throw overloaded('Too many changes at once to this calendar. Try again.')
  })
