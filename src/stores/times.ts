// Times as Postgres writes them in a session in UTC: `2026-03-02 12:00:00.123456+00`.
const secondsEnd = 19
const zero = 48

/** Milliseconds are kept, the rest is cut off. */
export function parseTime(text: string): Date {
  const isUsual = text.charCodeAt(4) === 45 && text.charCodeAt(text.length - 3) === 43 && text.charCodeAt(0) !== zero
  // `Date` reads the ISO form exactly, and is slow. In the form of Postgres it reads the year 0049 as 2049.
  if (!isUsual) return new Date(text.replace(' ', 'T').replace('+00', 'Z'))
  const year = pair(text, 0) * 100 + pair(text, 2)
  const [hour, minute, second] = [pair(text, 11), pair(text, 14), pair(text, 17)]
  return new Date(Date.UTC(year, pair(text, 5) - 1, pair(text, 8), hour, minute, second, millisOf(text)))
}

const pair = (text: string, at: number): number => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero

function millisOf(text: string): number {
  let millis = 0
  const end = text.length - 3
  for (let at = secondsEnd + 1, worth = 100; at < end && worth >= 1; at++, worth /= 10) {
    millis += (text.charCodeAt(at) - zero) * worth
  }
  return millis
}
