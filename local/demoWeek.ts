// The calendars of the demo organization: two working weeks, from the Monday of the week of `now`, in the zone of this machine.

/** `day`: 0 is this Monday, 7 the next one. */
type Entry = { day: number; at: string; minutes: number; title: string; more?: object }

/** Of the person at this machine. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

const series = (recurrence_rule: string) => ({ recurrence_rule, recurrence_timezone: zone })
const workdays = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=30'

const calls: Entry[] = [
  { day: 0, at: '09:30', minutes: 30, title: 'Discovery call: Northwind' },
  { day: 0, at: '14:00', minutes: 45, title: 'Product demo: Blue Bicycle' },
  { day: 1, at: '10:00', minutes: 60, title: 'Pricing review: Northwind' },
  { day: 1, at: '15:30', minutes: 30, title: 'Onboarding: Fern & Co' },
  { day: 2, at: '13:30', minutes: 60, title: 'Workshop: Harbor Labs', more: { status: 'tentative' } },
  { day: 3, at: '11:00', minutes: 45, title: 'Product demo: Cedar Clinic' },
  { day: 3, at: '16:00', minutes: 30, title: 'Renewal call: Blue Bicycle' },
  { day: 4, at: '10:30', minutes: 30, title: 'Follow-up: Harbor Labs' },
  { day: 4, at: '15:00', minutes: 60, title: 'Demo rehearsal' },
  { day: 7, at: '09:30', minutes: 30, title: 'Discovery call: Juniper Books' },
  { day: 8, at: '14:00', minutes: 45, title: 'Contract call: Northwind', more: { reminders: [10] } },
  { day: 9, at: '11:00', minutes: 60, title: 'Workshop: Cedar Clinic', more: { status: 'tentative' } },
  { day: 10, at: '10:00', minutes: 30, title: 'Onboarding: Blue Bicycle' },
  { day: 11, at: '15:30', minutes: 30, title: 'Renewal call: Fern & Co' },
]
const standUp: Entry = { day: 0, at: '09:00', minutes: 15, title: 'Pipeline stand-up', more: series(workdays) }
const own: Entry[] = [
  { day: 1, at: '12:30', minutes: 45, title: 'Lunch with Robin' },
  { day: 2, at: '09:30', minutes: 120, title: 'Focus time', more: series('FREQ=WEEKLY;BYDAY=WE,FR;COUNT=8') },
  { day: 3, at: '14:00', minutes: 60, title: 'Hiring interview' },
  { day: 8, at: '16:00', minutes: 30, title: 'Dentist' },
]
const room: Entry[] = [
  { day: 0, at: '11:00', minutes: 60, title: 'Team meeting', more: series('FREQ=WEEKLY;BYDAY=MO;COUNT=6') },
  { day: 3, at: '14:00', minutes: 60, title: 'Hiring interview' },
  { day: 9, at: '10:00', minutes: 120, title: 'Board meeting' },
]

/** A moment of the clock on the wall here. */
export function localTime(now: Date, day: number, at: string): Date {
  const [hour, minute] = at.split(':').map(Number)
  const sinceMonday = (now.getDay() + 6) % 7
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - sinceMonday + day, hour, minute)
}

export const span = (start: Date, minutes: number) => ({
  start_time: start.toISOString(),
  end_time: new Date(start.getTime() + minutes * 60_000).toISOString(),
})

/** The bodies of the events of each calendar. */
export function demoWeek(now: Date): { calls: object[]; own: object[]; room: object[] } {
  const bodies = (entries: readonly Entry[]) =>
    entries.map(({ day, at, minutes, title, more }) => ({ title, ...span(localTime(now, day, at), minutes), ...more }))
  return { calls: bodies([standUp, ...calls]), own: bodies(own), room: bodies(room) }
}

/** A hold soon after now, for as long as a hold may last, less the time that a slow start takes. */
export function demoHold(now: Date): object {
  const nextHour = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 2)
  return {
    ...{ title: 'Offered: call with Willow & Sons', ...span(nextHour, 30) },
    ...{ status: 'hold', hold_expires_at: new Date(now.getTime() + 14.5 * 60_000).toISOString() },
  }
}
