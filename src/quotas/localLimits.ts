// Limits that this process counts by itself while Redis is away. They hold per process.
import type { Uuid } from '../shapes/ids.ts'

type Bucket = { tokens: number; at: number }

const maxBuckets = 100_000

export function localBuckets() {
  const buckets = new Map<string, Bucket>()
  return {
    /** Takes a token. Milliseconds to wait without one, else 0. `burst`: the tokens of a full bucket. */
    take(bucketId: string, perSecond: number | null, now: Date, burst = perSecond ?? 0): number {
      if (perSecond === null) return 0
      if (buckets.size > maxBuckets) buckets.clear()
      const at = now.getTime()
      const bucket = buckets.get(bucketId) ?? { tokens: burst, at }
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.at) * perSecond) / 1000)
      bucket.at = at
      buckets.set(bucketId, bucket)
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * 1000) / perSecond)
      bucket.tokens -= 1
      return 0
    },
  }
}

const maxWindows = 100_000

/** The same as the windows in Redis of `throttle.ts`. */
export function localWindows() {
  const windows = new Map<string, number[]>()
  return {
    /** Milliseconds to wait; 0 if the call is within the limit. */
    take(key: string, { max, windowMs }: { max: number; windowMs: number }, now: number, count: boolean): number {
      if (windows.size > maxWindows) windows.clear()
      const recent = (windows.get(key) ?? []).filter((at) => at + windowMs > now)
      windows.set(key, recent)
      if (recent.length >= max) return recent[recent.length - max]! + windowMs - now
      if (count) recent.push(now)
      return 0
    },
  }
}

/** Units of counted budgets whose requests are in progress in this process: Postgres may not have their rows yet. */
export function openReservations() {
  const reserved = new Map<string, number>()
  const add = (key: string, units: number) => {
    const left = (reserved.get(key) ?? 0) + units
    if (left > 0) reserved.set(key, left)
    else reserved.delete(key)
  }
  return {
    count: (orgId: Uuid, budget: string): number => reserved.get(`${orgId} ${budget}`) ?? 0,
    /** Returns a function that gives the unit back; further calls of it do nothing. */
    take(orgId: Uuid, budget: string): () => void {
      const key = `${orgId} ${budget}`
      let isReserved = true
      add(key, 1)
      return () => {
        if (isReserved) add(key, -1)
        isReserved = false
      }
    },
  }
}
