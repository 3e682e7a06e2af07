// Calendars with events, and what `GET /context` shows of them.
import assert from 'node:assert/strict'
import { ahead, makeCalendar, makeEvent, makeOrganization } from './factories.ts'
import { perFile, serviceTest } from './test.ts'

export type Item = { title: string; startTime: string }
type Context = { current_event: Item | null; next_event: Item | null; recent_events: Item[]; upcoming: Item[] }
const titlesOf = (body: Context) => ({
  current: body.current_event?.title ?? null,
  next: body.next_event?.title ?? null,
  recent: body.recent_events.map(({ title }) => title),
  upcoming: body.upcoming.map(({ title }) => title),
})

/** `serviceTest` with calendars whose context is asked for. */
export const contextTest = () =>
  serviceTest().extend('desk', perFile, ({ service }) => {
    /** A calendar with events named by their titles; times are minutes from the set time. */
    async function makeCalendarOf(organization: object = {}, calendarBody: object = {}) {
      const { key } = await makeOrganization(service, { plan: 'custom', ...organization })
      const calendar = await makeCalendar(service, key, undefined, calendarBody)
      const context = async () => {
        const { status, body } = await service.call('GET', `/v1/calendars/${calendar.id}/context`, { key })
        assert.equal(status, 200, JSON.stringify(body))
        return body
      }
      const add = (title: string, from: number, to: number, more: object = {}) =>
        makeEvent(service, key, calendar.id, {
          title,
          start_time: ahead(service, from),
          end_time: ahead(service, to),
          ...more,
        })
      return { key, calendar, add, context, titles: async () => titlesOf(await context()) }
    }
    return { makeCalendarOf }
  })
