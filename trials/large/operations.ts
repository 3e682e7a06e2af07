// The operations that the trial weighs. Each is done the same number of times on the same kinds of calendars on both sides.
import { setTimeout as pause } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs } from '../../src/shapes/durations.ts'
import { searchedSources } from '../../src/sweeps/sweeps.ts'
import { deliveriesDue } from '../../src/webhooks/due.ts'
import { sources } from '../../workers/sweeper.ts'
import { fireDue } from '../../workers/timers.ts'
import { openAhead } from '../bench/ahead.ts'
import type { Sample } from '../bench/figures.ts'
import { wireRequest } from '../bench/world.ts'
import { type Place, password } from './fill.ts'
import { addPurgeable } from './purgeable.ts'
import type { Side } from './side.ts'
import { timeOf } from './tables.ts'

/** `prepare` is not weighed. */
export type Operation = (side: Side, round: number) => Promise<Prepared>
/** Weighs it. */
type Prepared = () => Promise<Sample>

/** Each calendar is worked on this often in a round. */
const perPlace = 3
const signInsPerRound = 8
const sweepsPerRound = 20
/** So long after it a moment is due by the clock of the database as well. */
const overdueMs = 50
const ahead = openAhead(10)

const everyPlace = ({ places }: Side): Place[] => Array.from({ length: perPlace }, () => places).flat()

const eventsPath = ({ calendarId }: Place) => `/v1/calendars/${calendarId}/events`

/** Times that no other event of the trial has: holds would refuse each other. */
let taken = 0
const firstMs = Date.parse('2031-01-01T00:00:00Z')
function freeTimes() {
  const startMs = firstMs + taken++ * hourMs
  return { start_time: timeOf(startMs), end_time: timeOf(startMs + 30 * minuteMs) }
}

const hourFrom = (startMs: number) => ({ start_time: timeOf(startMs), end_time: timeOf(startMs + hourMs) })

const newEvent = (place: Place, times: object) =>
  wireRequest('POST', eventsPath(place), { key: place.key, body: { title: 'Weekly review', ...times } })

const newEvents = (side: Side, times: () => object) => everyPlace(side).map((place) => newEvent(place, times()))

const get = (side: Side, pathOf: (place: Place) => string) =>
  everyPlace(side).map((place) => wireRequest('GET', pathOf(place), { key: place.key }))

/** Addresses have limits where no key says who is asking. */
const otherClient = () => {
  const nth = taken++
  return `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`
}

/** A read that changes nothing needs no preparation. */
const reading =
  (pathOf: (place: Place) => string): Operation =>
  async (side) => {
    const requests = get(side, pathOf)
    return () => side.ask(requests, 200)
  }

const heldMs = 14 * minuteMs
const hold = () => ({ ...freeTimes(), status: 'hold', hold_expires_at: timeOf(Date.now() + heldMs) })

export const operations: Record<string, Operation> = {
  'new event': async (side) => {
    const requests = newEvents(side, freeTimes)
    return () => side.ask(requests, 201)
  },
  hold: async (side) => {
    const requests = newEvents(side, hold)
    return () => side.ask(requests, 201)
  },
  confirm: async (side) => {
    const { ids } = await side.ask(newEvents(side, hold), 201, { keepsIds: true })
    const keys = everyPlace(side).map(({ key }) => key)
    const requests = ids.map((id, nth) => wireRequest('PUT', `/v1/events/${id}/confirm`, { key: keys[nth]! }))
    return () => side.ask(requests, 200)
  },
  edit: async (side, round) => {
    const requests = everyPlace(side).map((place, nth) => {
      const body = { title: `Weekly review ${round}.${nth}` }
      return wireRequest('PATCH', `${eventsPath(place)}/${place.eventId}`, { key: place.key, body })
    })
    return () => side.ask(requests, 200)
  },
  list: reading(eventsPath),
  // Each question is a new one.
  availability: reading(({ agentIds }) => {
    const startMs = Date.now() + dayMs + taken++
    const window = `start=${timeOf(startMs)}&end=${timeOf(startMs + 7 * dayMs)}`
    return `/v1/availability?${window}&agents=${agentIds.join(',')}`
  }),
  'page of the change feed': reading(() => '/v1/changes?cursor=oldest&limit=20'),
  'calendar feed': async (side) => {
    const requests = everyPlace(side).map(({ token }) =>
      wireRequest('GET', `/ical/${token}.ics`, { headers: { 'x-forwarded-for': otherClient() } }),
    )
    return () => side.ask(requests, 200)
  },
  moment: async (side) => {
    const { app } = side.world
    const fire = () => fireDue(app)
    // Moments of earlier rounds come first, unweighed.
    await fire()
    const count = everyPlace(side).length
    const startMs = await ahead(
      count,
      (atMs) =>
        side.ask(
          newEvents(side, () => hourFrom(atMs)),
          201,
        ),
      async () => {
        await pause(overdueMs)
        await fire()
      },
    )
    await pause(Math.max(0, startMs + overdueMs - Date.now()))
    return async () => {
      let fired = 0
      const sample = await side.weigh(count, async () => {
        fired = await fire()
      })
      if (fired < count) throw new Error(`${fired} of ${count} moments were fired`)
      return sample
    }
  },
  delivery: async (side) => {
    await deliverAll(side)
    const requests = newEvents(side, freeTimes)
    await side.ask(requests, 201)
    await side.receivers.reset()
    return async () => {
      const sample = await side.weigh(requests.length, () => deliverAll(side))
      await side.receivers.arrived(requests.length)
      return sample
    }
  },
  'sign-in': async (side) => {
    const requests = side.places
      .slice(0, signInsPerRound)
      .map(({ email }) => wireRequest('POST', '/v1/auth/signin', { body: { email, password } }))
    return () => side.ask(requests, 200)
  },
  sweep: async (side) => {
    await deliverAll(side)
    return () =>
      side.weigh(sweepsPerRound, async () => {
        for (let nth = 0; nth < sweepsPerRound; nth++) await sweep(side)
      })
  },
  purge: async (side, round) => {
    await addPurgeable(side, round)
    return () => side.weigh(1, () => side.engines.upkeep.purge({ hour: 0 }))
  },
}

/** All that is due, as the wake-ups of the sweeper have it done. */
async function deliverAll({ world: { app }, engines }: Side): Promise<void> {
  for (;;) {
    const wakeups = await deliveriesDue.due(app, app.clock.now())
    if (wakeups.length === 0) return
    for (const { name, payload } of wakeups) if (name === 'deliver') await engines.deliveries.deliver(payload)
    await engines.deliveries.settle()
  }
}

/** The searches of one sweep, of every source. */
async function sweep({ world: { app } }: Side): Promise<void> {
  const now = app.clock.now()
  const until = new Date(now.getTime() + app.config.enqueueHorizonMs)
  const asked = sources.map(({ name, earliest }) => ({ source: name, incarnation: 'trial', earliest }))
  await searchedSources(app, asked, until)
  for (const source of sources) {
    await source.coming(app, now, until)
    await source.due(app, now)
  }
}
