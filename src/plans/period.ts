// The billing period: 30 days, rolling from the organization's creation.

export const periodMs = 30 * 24 * 60 * 60 * 1000

export type Period = { start: Date; end: Date }

export function periodAt(createdAt: Date, now: Date): Period {
  const elapsed = Math.max(0, now.getTime() - createdAt.getTime())
  const start = createdAt.getTime() + Math.floor(elapsed / periodMs) * periodMs
  return { start: new Date(start), end: new Date(start + periodMs) }
}

export const isWithin = ({ start, end }: Period, now: Date): boolean =>
  start.getTime() <= now.getTime() && now.getTime() < end.getTime()

/** Whole seconds until the period ends, at least 1: for the headers Retry-After and RateLimit. */
export const secondsLeft = (period: Pick<Period, 'end'>, now: Date): number =>
  Math.max(1, Math.ceil((period.end.getTime() - now.getTime()) / 1000))
