// Days of a zone as moments. Pure.

const wall = (at: Date, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** The first moment of a day, `later` days after this one. Where clocks skip midnight, it is the moment that they skip to. */
export function dayStart(date: string, timezone: string, later = 0): string {
  const [year, month, day] = date.split('-').map(Number)
  const wanted = Date.UTC(year!, month! - 1, day! + later)
  const offsets = [wanted - 86_400_000, wanted + 86_400_000].map((at) => wall(new Date(at), timezone) - at)
  const candidates = offsets.map((offset) => wanted - offset)
  const exact = candidates.filter((at) => wall(new Date(at), timezone) === wanted)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString()
}
