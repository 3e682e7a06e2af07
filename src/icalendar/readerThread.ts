// The thread in which feeds are read, one after the other: it may run out of time or memory without harm.
import { parentPort } from 'node:worker_threads'
import { readCalendar } from './readCalendar.ts'
import type { ReadOptions } from './readFeed.ts'

parentPort!.on('message', ({ feed, options }: { feed: Uint8Array; options: ReadOptions }) => {
  parentPort!.postMessage(readCalendar(feed, options))
})
// The time a feed may take is counted from here on.
parentPort!.postMessage('ready')
