// A feed of the calendar into which events are published: the copies in it are not imported.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent, makeCalendar, makeOrganization } from '../testing/factories.ts'
import { type FeedServer, openFeedServer, vcalendar, vevent } from '../testing/feedServer.ts'
import type { TestService } from '../testing/harness.ts'
import { at } from '../testing/imports.ts'
import type { openOauthDesk } from '../testing/oauthDesk.ts'
import { googleTest } from '../testing/providers/googleConnections.ts'
import { microsoftTest } from '../testing/providers/microsoftConnections.ts'
import { perFile } from '../testing/test.ts'

type Desk = Pick<Awaited<ReturnType<typeof openOauthDesk>>, 'key' | 'agent' | 'calendar' | 'ok' | 'drain'>
type Context = { service: TestService; desk: Desk; feeds: FeedServer }

const google = googleTest().extend('feeds', perFile, async ({ service: _ }, { onCleanup }) => {
  const feeds = await openFeedServer()
  onCleanup(feeds.close)
  return feeds
})
const microsoft = microsoftTest().extend('feeds', perFile, async ({ service: _ }, { onCleanup }) => {
  const feeds = await openFeedServer()
  onCleanup(feeds.close)
  return feeds
})

/** Publishes an event of the desk's calendar, which was granted as `calendarId`. */
async function publish({ service, desk }: Context, calendarId: string) {
  await desk.ok('PUT', `/v1/calendars/${desk.calendar.id}/external-destination`, { external_calendar_id: calendarId })
  const { status } = await service.call('POST', `/v1/calendars/${desk.calendar.id}/events`, {
    key: desk.key,
    body: { title: 'Tea', start_time: '2026-03-03T09:00:00Z', end_time: '2026-03-03T09:30:00Z' },
  })
  assert.equal(status, 201)
  await desk.drain()
}

/** The imports of a subscription to the feed. */
async function imported({ service, feeds }: Context, key: string, agentId: string, calendarId: string) {
  const path = `/v1/agents/${agentId}/ical-subscriptions`
  const { status, body } = await service.call('POST', path, {
    key,
    body: { calendar_id: calendarId, url: feeds.url() },
  })
  assert.equal(status, 201, JSON.stringify(body))
  const titles = async () => {
    await service.drain()
    const events = await service.call('GET', `/v1/calendars/${calendarId}/events?limit=200`, { key })
    return events.body.data.flatMap(({ title, source }: { title: string; source: string }) =>
      source === 'external_ical' ? [title] : [],
    )
  }
  const readAgain = async () => {
    assert.equal((await service.call('POST', `/v1/ical-subscriptions/${body.id}/sync`, { key })).status, 202)
    return titles()
  }
  return { titles, readAgain }
}

/** The feed has the copy `uid`, a moved occurrence of it, and an event of the human. */
async function passesOver(context: Context, uid: string) {
  const { service, desk, feeds } = context
  feeds.body = vcalendar(
    vevent(uid, at(9, 'Tea')),
    vevent(uid, at(11, 'Tea, moved', { 'RECURRENCE-ID': '20260304T090000Z' })),
    vevent(`x${uid}`, at(13, 'Dentist')),
  )
  const own = await imported(context, desk.key, desk.agent.id, desk.calendar.id)
  assert.deepEqual(await own.titles(), ['Dentist'])
  const sister = await makeCalendar(service, desk.key, desk.agent.id)
  const other = await imported(context, desk.key, desk.agent.id, sister.id)
  assert.deepEqual(await other.titles(), ['Dentist'])
  // For everybody else it is an event like any other.
  const stranger = await makeOrganization(service)
  const agent = await makeAgent(service, stranger.key)
  const calendar = await makeCalendar(service, stranger.key, agent.id)
  const theirs = await imported(context, stranger.key, agent.id, calendar.id)
  assert.deepEqual(await theirs.titles(), ['Tea', 'Tea, moved', 'Dentist'])
}

google('copies at Google are passed over', async ({ service, desk, google, feeds }) => {
  const context = { service, desk, feeds }
  const { calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  await publish(context, calendarId)
  const [copy] = [...google.calendarOf(desk.email)!.events.values()]
  await passesOver(context, copy!.iCalUID)
})

microsoft('copies at Microsoft are passed over', async ({ service, desk, microsoft, feeds }) => {
  const context = { service, desk, feeds }
  const { calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  await publish(context, calendarId)
  const [copy] = [...microsoft.mailbox.events.values()]
  await passesOver(context, copy!.fields.iCalUId as string)
})

google(
  'a copy that was read before its name was known goes with the next read of the same feed',
  async ({ service, desk, google, feeds }) => {
    const context = { service, desk, feeds }
    const { calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
    await publish(context, calendarId)
    const [copy] = [...google.calendarOf(desk.email)!.events.values()]
    const { sql } = service.app
    // As if the answer to the write had been lost.
    const [named] = await sql<{ eventId: string; uidDigest: Buffer }[]>`
    select event_id, uid_digest from publications where uid_digest is not null and org_id = ${decodeId('org', desk.orgId)!}`
    const { eventId, uidDigest } = named!
    await sql`update publications set uid_digest = null, copy = 'maybe' where event_id = ${eventId}`
    feeds.body = vcalendar(vevent(copy!.iCalUID, at(9, 'Tea')))
    const own = await imported(context, desk.key, desk.agent.id, desk.calendar.id)
    assert.deepEqual(await own.titles(), ['Tea'])
    await sql`update publications set uid_digest = ${uidDigest}, copy = 'there' where event_id = ${eventId}`
    assert.deepEqual(await own.readAgain(), [])
  },
)
