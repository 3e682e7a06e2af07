// Books the first free slot of a booking page for a guest. It needs no key.
// node examples/book.mjs https://calendar.example.com/book/<slug> Kim kim@example.com
import { randomBytes } from 'node:crypto'
import { request } from './request.mjs'

const [page, name, email] = process.argv.slice(2)
const { slots } = await request('GET', `${page}/slots`)
if (slots.length === 0) throw new Error('Nothing is free.')
// `attempt` makes a repeated booking the same booking.
const attempt = randomBytes(16).toString('hex')
const { event } = await request('POST', page, { name, email, start: slots[0].start, attempt })
console.log(`${event.status} ${slots[0].start}`)
