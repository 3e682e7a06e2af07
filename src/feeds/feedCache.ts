// The feeds that this process has written: the last one of each calendar. The least recently read ones are dropped first.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'

export type Body = { etag: string; body: Buffer }
type Write = () => Promise<Body>
type FeedCache = (calendarId: Uuid, etag: string, write: Write) => Promise<Body>

const maxBytes = 64 * 1024 * 1024
/** A larger feed is not kept, because it would push out too many others. */
const maxBytesEach = maxBytes / 4

const openFeedCacheOfApp = () => openFeedCache(maxBytes, maxBytesEach)
export const feedCacheOf = (app: App) => app.memory(openFeedCacheOfApp)

/** Readers of a revision that is being written share the result. */
export function openFeedCache(max: number, maxEach: number): FeedCache {
  const kept = new Map<Uuid, Body>()
  const underWay = new Map<string, Promise<Body>>()
  let bytes = 0

  function drop(calendarId: Uuid) {
    bytes -= kept.get(calendarId)?.body.length ?? 0
    kept.delete(calendarId)
  }

  function keep(calendarId: Uuid, feed: Body) {
    drop(calendarId)
    if (feed.body.length > maxEach) return
    kept.set(calendarId, feed)
    bytes += feed.body.length
    for (const oldest of kept.keys()) {
      if (bytes <= max) return
      drop(oldest)
    }
  }

  return async (calendarId, etag, write) => {
    const last = kept.get(calendarId)
    if (last?.etag === etag) {
      kept.delete(calendarId)
      kept.set(calendarId, last)
      return last
    }
    const key = `${calendarId} ${etag}`
    const shared = underWay.get(key)
    if (shared) return shared
    const writing = write().finally(() => underWay.delete(key))
    underWay.set(key, writing)
    const feed = await writing
    keep(calendarId, feed)
    return feed
  }
}
