// An agent that reserves the best free time of a calendar, asks, and confirms or releases.
// AGENT_CALENDAR_KEY=svc_… CALENDAR=cal_… node examples/hold-and-confirm.mjs [yes | no]
import { request } from './request.mjs'

const { CALENDAR } = process.env
const answer = process.argv[2] ?? 'yes'
const inMinutes = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString()

const query = new URLSearchParams({ start: inMinutes(60), end: inMinutes(60 * 24 * 7), duration: '30m', best: '5' })
const { best } = await request('GET', `/v1/calendars/${CALENDAR}/availability?${query}`)

const hold = await firstHold(best)
console.log(`held ${hold.startTime}`)
const event = await request('PUT', `/v1/events/${hold.id}/${answer === 'yes' ? 'confirm' : 'release'}`)
console.log(`${event.status} ${event.startTime}`)

/** Another agent may be faster: then the next time is tried. */
async function firstHold(times) {
  for (const { start, end } of times) {
    try {
      return await request('POST', `/v1/calendars/${CALENDAR}/events`, {
        title: 'Viewing',
        start_time: start,
        end_time: end,
        status: 'hold',
        hold_expires_at: inMinutes(5),
        require_free: true,
      })
    } catch (error) {
      if (error.type !== 'conflict') throw error
    }
  }
  throw new Error('No time of the next week is free.')
}
