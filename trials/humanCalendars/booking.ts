// Goal 9: no guest is booked into a time that became busy a second before.
import { setTimeout as pause } from 'node:timers/promises'
import { openDesk } from './desk.ts'
import { type Goal, until } from './goal.ts'
import { quickly, type Site } from './site.ts'

const attempts = 20
const perAccount = 5
const dayMs = 86_400_000
const hourMs = 3_600_000

export const booking: Goal = {
  nth: 9,
  what: 'booking against a busy time added 1 s before, no message of it, source read 2 s before',
  goal: '409, always',
  rules: [
    {
      what: 'a booking reads all sources anew before it commits',
      cuts: [{ file: 'src/bookingPages/book.ts', from: '    await readAnew(', to: '\n', instead: '' }],
    },
  ],
  async run(site, size) {
    const { channels } = site.google
    channels.delivery = 'never'
    const statuses = new Map<number, number>()
    const count = size.of(attempts)
    try {
      for (let nth = 0; nth < count; nth += perAccount) {
        for (const status of await attempt(site, Math.min(perAccount, count - nth))) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }
    } finally {
      channels.delivery = 'once'
    }
    const shown = [...statuses].map(([status, times]) => `${status} × ${times}`).join(', ')
    return { isMet: statuses.get(409) === count, figures: shown }
  },
}

let guests = 0

async function attempt(site: Site, times: number): Promise<number[]> {
  const { desk, account, slug } = await quickly(site, () => openPage(site))
  const { remote } = account.calendars[0]!
  const day = Math.ceil(site.clock.now() / dayMs + 2) * dayMs
  const statuses: number[] = []
  for (let nth = 0; nth < times; nth++) {
    const [start, end] = [day + (9 + nth) * hourMs, day + (10 + nth) * hourMs].map((ms) => new Date(ms).toISOString())
    await desk.session('POST', `/v1/calendar-connections/${account.id}/refresh`)
    await pause(1_000)
    site.google.addEvent(remote, start!, end!)
    await pause(1_000)
    const body = { name: 'Ada Guest', email: 'ada@example.com', start }
    // Each guest has an address of their own: of one address no more than ten a minute may book.
    const headers = { 'x-forwarded-for': `10.1.0.${++guests}` }
    statuses.push((await site.call('POST', `/book/${slug}`, { headers, body })).status)
  }
  return statuses
}

async function openPage(site: Site) {
  const desk = await openDesk(site)
  const { agentId, calendarId } = await desk.makeAgent()
  const account = await desk.connect('google', ['availability'])
  const ids = account.calendars.map(({ id }) => id)
  await desk.select(account, ids)
  await desk.grant(agentId, ids)
  const { slug } = await desk.ask('POST', '/v1/booking-pages', { calendar_id: calendarId, title: 'Chat' })
  await until('the calendar was read', 60_000, async () => {
    const { calendars } = await desk.session('GET', `/v1/calendar-connections/${account.id}`)
    return calendars[0].sync.status === 'current'
  })
  return { desk, account, slug: slug as string }
}
