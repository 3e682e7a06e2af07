// The thread that parses feeds, one after the other: it may run out of time or memory without harm to the process.
import { parentPort } from 'node:worker_threads'
import type { ParseOptions } from './feedParser.ts'
import { parseCalendar } from './parseCalendar.ts'

parentPort!.on('message', ({ feed, options }: { feed: Uint8Array; options: ParseOptions }) => {
  parentPort!.postMessage(parseCalendar(feed, options))
})
// The time limit of the first feed begins here.
parentPort!.postMessage('ready')
