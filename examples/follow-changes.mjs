// Prints every change from now on, and misses none.
// AGENT_CALENDAR_KEY=svc_… node examples/follow-changes.mjs
import { request } from './request.mjs'

let { cursor } = await request('GET', '/v1/changes')
console.log('following')
for (;;) {
  try {
    const page = await request('GET', `/v1/changes?cursor=${encodeURIComponent(cursor)}&wait=25`)
    for (const { type, payload } of page.data) console.log(type, JSON.stringify(payload))
    // A copy stores the cursor together with its data: after a crash it continues here.
    cursor = page.cursor
  } catch (error) {
    if (error.type !== 'cursor_gone') throw error
    // A copy would be made anew from `error.resync.lists` now.
    console.log('lost the way, starting again')
    cursor = error.resync.cursor
  }
}
