// Fixtures of feed tests: a calendar per test, its events, and its feed as clients ask for it.
import assert from 'node:assert/strict'
import { makeCalendar, makeEvent, makeOrganization } from './factories.ts'
import type { TestService } from './harness.ts'
import { serviceTest } from './test.ts'

type FeedCalendar = { id: string; ical_url: string }

/** The lines of a feed, unfolded. */
export const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n')

/** The one line of this property. */
export function propertyIn(all: readonly string[], name: string): string {
  const found = all.filter((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))
  assert.equal(found.length, 1, `${name}: ${found}`)
  return found[0]!
}

export const pathOf = ({ ical_url: url }: FeedCalendar) => new URL(url).pathname

function openDesk(service: TestService, key: string, calendar: FeedCalendar) {
  const path = `/v1/calendars/${calendar.id}/events`
  const fetchFeed = (headers: Record<string, string> = {}, from = calendar) =>
    service.call('GET', pathOf(from), { headers })
  async function feed(from = calendar): Promise<string> {
    const answer = await fetchFeed({}, from)
    assert.equal(answer.status, 200)
    return answer.body
  }
  const lines = async (from = calendar) => linesOf(await feed(from))
  const make = (body: object) => makeEvent(service, key, calendar.id, body)
  const patch = (id: string, body: object) => service.call('PATCH', `${path}/${id}`, { key, body })
  const cancelOccurrence = async (id: string, start: string) => {
    const { status } = await service.call('DELETE', `${path}/${id}?occurrence_start=${start}`, { key })
    assert.equal(status, 200)
  }
  /** The starts of all occurrences, as the API lists them. */
  async function listed(after: string, before: string): Promise<string[]> {
    const query = `expand=true&start_after=${after}&start_before=${before}`
    const { body } = await service.call('GET', `${path}?${query}`, { key })
    return body.data.map((event: { startTime: string }) => event.startTime)
  }
  return { key, calendar, fetchFeed, feed, lines, make, patch, cancelOccurrence, listed }
}

/** `serviceTest` with an organization and its calendar for each test; `deskIn` is for another calendar, in this zone. */
export const feedTest = () =>
  serviceTest()
    .extend('desk', async ({ service }) => {
      // One address may ask sixty times a minute: the minute of the previous test is over.
      await service.clock.advance(61_000)
      const { key } = await makeOrganization(service)
      return openDesk(service, key, await makeCalendar(service, key))
    })
    .extend(
      'deskIn',
      ({ service, desk }) =>
        async (timezone: string) =>
          openDesk(service, desk.key, await makeCalendar(service, desk.key, undefined, { timezone })),
    )
