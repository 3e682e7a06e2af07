// Fixtures of import tests: a server of feeds and an organization per test, with a calendar that subscribes to it.
import assert from 'node:assert/strict'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { changesOf } from './changes.ts'
import { makeAgent, makeCalendar, makeOrganization } from './factories.ts'
import { type FeedServer, openFeedServer } from './feedServer.ts'
import { type TestService, testStart } from './harness.ts'
import { serviceTest } from './test.ts'

export const minute = 60_000

/** Half an hour on 3 March 2026, from this hour of UTC. */
export const at = (hour: number, summary: string, more: Record<string, string> = {}) => {
  const two = String(hour).padStart(2, '0')
  return { DTSTART: `20260303T${two}0000Z`, DTEND: `20260303T${two}3000Z`, SUMMARY: summary, ...more }
}

/** A new organization with an agent and its calendar, and the requests of that organization. */
export async function openDesk(service: TestService, feeds: FeedServer) {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const calendarId = decodeId('cal', calendar.id)!

  /** Returns the id of the subscription; `subscribed` waits until it is read for the first time. */
  async function subscribe(url = feeds.url()): Promise<string> {
    const path = `/v1/agents/${agent.id}/ical-subscriptions`
    const answer = await service.call('POST', path, { key, body: { calendar_id: calendar.id, url } })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id
  }
  async function subscribed(url?: string): Promise<string> {
    const id = await subscribe(url)
    await service.drain()
    return id
  }
  const read = async (id: string) => (await service.call('GET', `/v1/ical-subscriptions/${id}`, { key })).body
  async function syncedAgain(id: string) {
    const { status } = await service.call('POST', `/v1/ical-subscriptions/${id}/sync`, { key })
    assert.equal(status, 202)
    await service.drain()
    return read(id)
  }

  // biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
  const events = async (): Promise<any[]> =>
    (await service.call('GET', `/v1/calendars/${calendar.id}/events?limit=200`, { key })).body.data
  const titles = async () => (await events()).map(({ title }) => title)

  /** Their entries in the change feed. */
  async function imports() {
    const entries = await changesOf(service, calendar.orgId)
    return entries.filter(({ type }) => type === 'calendar.imported')
  }

  /** The payload of a sync. */
  async function jobOf(publicId: string): Promise<{ orgId: Uuid; id: Uuid }> {
    const id = decodeId('ics', publicId)!
    const [row] = await service.app.sql<{ orgId: Uuid }[]>`
      select org_id from ical_subscriptions where id = ${id}`
    return { orgId: row!.orgId, id }
  }
  async function revision(): Promise<number> {
    const [row] = await service.app.sql<{ revision: number }[]>`
      select revision from calendars where id = ${calendarId}`
    return row!.revision
  }
  /** By the id of the event; a row that is written gets another version. */
  async function rowVersions() {
    const rows = await service.app.sql<{ id: string; version: string }[]>`
      select id, xmin::text as version from events where calendar_id = ${calendarId}`
    return new Map(rows.map(({ id, version }) => [id, version]))
  }
  async function lastStart(): Promise<string> {
    const [row] = await service.app.sql<{ at: Date }[]>`
      select max(start_time) as at from events where calendar_id = ${calendarId}`
    return row!.at.toISOString()
  }
  return {
    key,
    agent,
    calendar,
    subscribe,
    subscribed,
    read,
    syncedAgain,
    events,
    titles,
    imports,
    jobOf,
    revision,
    rowVersions,
    lastStart,
  }
}

/** `serviceTest` with a feed server and a desk for each test, at the same time. */
export const importTest = () =>
  serviceTest()
    // It needs nothing, but a fixture must name what it takes.
    .extend('feeds', async ({ service: _ }, { onCleanup }) => {
      const feeds = await openFeedServer()
      onCleanup(feeds.close)
      return feeds
    })
    .extend('desk', async ({ service, feeds }) => {
      await service.clock.set(testStart)
      // Subscriptions of earlier tests do not sync any more.
      await service.app.sql`delete from ical_subscriptions`
      return openDesk(service, feeds)
    })
