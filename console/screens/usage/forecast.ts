// How much of a monthly limit will be used by the end of its period, if the rest of it is like the part that has gone. Pure.

type Period = { period_start: string; period_end: string }
type Used = { used: number; limit: number | null }

const near = 0.8

type Outlook = { forecast: number | undefined; isNear: boolean; overOn: Date | undefined }

export function outlook(
  { used, limit }: Used,
  { period_start, period_end }: Period,
  now: number,
  isMonthly: boolean,
): Outlook {
  const [from, to] = [Date.parse(period_start), Date.parse(period_end)]
  const gone = Math.min(1, Math.max(0, (now - from) / (to - from)))
  const forecast = isMonthly && gone > 0 ? Math.round(used / gone) : undefined
  const isOver = limit !== null && forecast !== undefined && forecast > limit
  return {
    forecast,
    isNear: limit !== null && limit > 0 && used >= limit * near,
    overOn: isOver ? new Date(Math.max(now, from + ((to - from) * limit * gone) / used)) : undefined,
  }
}
