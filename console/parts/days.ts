// Days and wall clocks of zones as moments. Pure.

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const kept =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
      hourCycle: 'h23',
      timeZone,
    })
  clocks.set(timeZone, kept)
  return kept
}

/** The wall clock of a zone at a moment, as if it were UTC. */
export function wallOf(at: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** The first moment at which the clock of a zone shows this. Where clocks skip it, the moment that they skip to. */
export function momentOf(wall: number, timezone: string): number {
  const offsets = [wall - 86_400_000, wall + 86_400_000].map((at) => wallOf(at, timezone) - at)
  const candidates = offsets.map((offset) => wall - offset)
  const exact = candidates.filter((at) => wallOf(at, timezone) === wall)
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)
}

/** The first moment of a day, `later` days after this one. */
export function dayStart(date: string, timezone: string, later = 0): string {
  const [year, month, day] = date.split('-').map(Number)
  return new Date(momentOf(Date.UTC(year!, month! - 1, day! + later), timezone)).toISOString()
}

/** The last moment of a day. */
export const dayEnd = (date: string, timezone: string): string =>
  new Date(Date.parse(dayStart(date, timezone, 1)) - 1).toISOString()
