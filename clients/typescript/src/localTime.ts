// Times on the wall clock of a zone, in the spelling that the service takes: `2026-12-01T10:00[Europe/Berlin]`.

/** ISO 8601 with an offset, a local time with its zone in brackets, or a `Date` or a value of Temporal. */
export type Moment = string | { toJSON(): string }

/** A record that was requested with `view: 'local'`: every part that may have `local` has it. */
export type WithLocal<T> = T extends readonly (infer Item)[]
  ? WithLocal<Item>[]
  : T extends { local?: unknown }
    ? { [K in keyof T as K extends 'local' ? never : K]: WithLocal<T[K]> } & { local: NonNullable<T['local']> }
    : T extends object
      ? { [K in keyof T]: WithLocal<T[K]> }
      : T

const wallClock = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/
const bracketed =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?\[!?([A-Za-z0-9_+\-/]{1,64})\]$/

/**
 * A time on the wall clock of a zone: `localTime('2026-12-01T10:00', 'Europe/Berlin')`. Whether clocks have that time there,
 * once or twice, is decided by the service: it refuses a time that was skipped or is doubled, and suggests others.
 */
export function localTime(time: string, timezone: string): string {
  if (!wallClock.test(time))
    throw new TypeError(`A local time is written like 2026-12-01T10:00, without an offset: ${time}`)
  requireZone(timezone)
  return `${time}[${timezone}]`
}

/** A moment as the wall clock of a zone shows it, with its offset: `2026-12-01T10:00:00+01:00[Europe/Berlin]`. */
export function inZone(moment: Date, timezone: string): string {
  if (Number.isNaN(moment.getTime())) throw new TypeError('This is not a valid Date.')
  requireZone(timezone)
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601-hc-h23', {
    timeZone: timezone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    timeZoneName: 'longOffset',
  }).formatToParts(moment)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const offset = /[+-]\d{2}:\d{2}/.exec(part('timeZoneName'))?.[0] ?? '+00:00'
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  return `${date}T${part('hour')}:${part('minute')}:${part('second')}${offset}[${timezone}]`
}

/** The parts of a time with a zone in brackets; undefined if it is not one. */
export function readLocalTime(
  text: string,
): { date: string; time: string; offset?: string; timezone: string } | undefined {
  const found = bracketed.exec(text)
  if (!found) return undefined
  const [, date, time, offset, timezone] = found
  return { date: date!, time: time!, ...(offset && { offset }), timezone: timezone! }
}

function requireZone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw new TypeError(`There is no time zone ${JSON.stringify(timezone)}. Write it like Europe/Berlin.`)
  }
}
