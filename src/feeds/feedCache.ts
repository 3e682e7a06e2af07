// The feeds that this process has written: the last one of each calendar, so that the same one is not written again, and the
// next one is written from it. Texts only: whether a caller may read them is asked before. The least recently read ones are
// dropped first.
import type { App } from '../app.ts'
import type { FeedText } from './splice.ts'

export type WrittenFeed = FeedText & {
  etag: string
  /** The values besides the event that the lines of every event depend on. */
  basis: string
}
type Write = (last: WrittenFeed | undefined) => Promise<WrittenFeed>
/** `key` names one calendar of one organization. */
type FeedCache = (key: string, etag: string, write: Write) => Promise<WrittenFeed>

const maxBytes = 64 * 1024 * 1024
/** A larger feed is not kept, because it would push out too many others. */
const maxBytesEach = maxBytes / 4

const openFeedCacheOfApp = () => openFeedCache(maxBytes, maxBytesEach)
export const feedCacheOf = (app: App) => app.memory(openFeedCacheOfApp)

const bytesOf = ({ body, versions, starts }: FeedText) => body.length + versions.length + starts.byteLength

/** Readers of a revision that is being written share the result. */
export function openFeedCache(max: number, maxEach: number): FeedCache {
  const kept = new Map<string, WrittenFeed>()
  const underWay = new Map<string, Promise<WrittenFeed>>()
  let bytes = 0

  function drop(key: string) {
    const feed = kept.get(key)
    if (feed) bytes -= bytesOf(feed)
    kept.delete(key)
  }

  function keep(key: string, feed: WrittenFeed) {
    drop(key)
    if (bytesOf(feed) > maxEach) return
    kept.set(key, feed)
    bytes += bytesOf(feed)
    for (const oldest of kept.keys()) {
      if (bytes <= max) return
      drop(oldest)
    }
  }

  return async (key, etag, write) => {
    const last = kept.get(key)
    if (last?.etag === etag) {
      kept.delete(key)
      kept.set(key, last)
      return last
    }
    const state = `${key} ${etag}`
    const shared = underWay.get(state)
    if (shared) return shared
    const writing = write(last).finally(() => underWay.delete(state))
    underWay.set(state, writing)
    const feed = await writing
    keep(key, feed)
    return feed
  }
}
