// Events that begin evenly over one second, made through the API.
import { setTimeout as pause } from 'node:timers/promises'
import { isoTime } from '../../src/shapes/datetimes.ts'
import { hourMs } from '../../src/shapes/durations.ts'
import type { Organization } from '../world/client.ts'
import { openAhead } from './ahead.ts'
import { type World, wireRequest } from './world.ts'

/** A calendar, with the organization it belongs to. */
export type DuePlace = { organization: Organization; calendarId: string }

export type DueEvents = {
  /**
   * Makes this many, the places in turn. Returns when the second begins: it lies ahead. `begin` comes first; if some began
   * before all were there, all deliveries are removed, and it comes again.
   */
  make(count: number, begin?: () => Promise<unknown>): Promise<number>
}

const connections = 40
const settleMs = 3_000

export function openDueEvents(world: World, places: readonly DuePlace[]): DueEvents {
  const ahead = openAhead(2)
  const requestsOf = (count: number, startMs: number) =>
    Array.from({ length: count }, (_, nth) => {
      const { organization, calendarId } = places[nth % places.length]!
      const beginsMs = startMs + Math.floor((nth * 1_000) / count)
      const times = { start_time: isoTime(new Date(beginsMs)), end_time: isoTime(new Date(beginsMs + hourMs)) }
      const body = { title: 'Weekly review of the open questions', ...times }
      return wireRequest('POST', `/v1/calendars/${calendarId}/events`, { key: organization.key, body })
    })
  return {
    make(count, begin) {
      const add = async (startMs: number) => {
        await begin?.()
        const requests = requestsOf(count, startMs)
        await world.load({ port: world.apiPort, connections, requests, status: 201, until: { answers: count } })
      }
      return ahead(count, add, async () => {
        await pause(settleMs)
        await world.app.sql`truncate webhook_deliveries`
      })
    },
  }
}
