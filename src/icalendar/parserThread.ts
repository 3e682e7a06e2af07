// The thread in which feeds are read, one after the other: it may run out of time or memory without harm.
import { parentPort } from 'node:worker_threads'
import type { ParseOptions } from './feedParser.ts'
import { parseCalendar } from './parseCalendar.ts'

parentPort!.on('message', ({ feed, options }: { feed: Uint8Array; options: ParseOptions }) => {
  parentPort!.postMessage(parseCalendar(feed, options))
})
// The time a feed may take is counted from here on.
parentPort!.postMessage('ready')
