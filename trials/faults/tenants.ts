// The organizations of the run. Each has its own key, session, agent, calendars, feed, booking page and webhook, and
// its records carry its mark.
import { randomBytes } from 'node:crypto'
import { minuteMs } from '../../src/shapes/durations.ts'
import type { Caller, Client } from './client.ts'

export type Tenant = {
  orgId: string
  /** It is part of every name that this organization gives. */
  mark: string
  /** From which it calls. */
  address: string
  /** The token of its console, and what its owner signs in with. */
  session: string
  password: string
  /** Calls with its key, in its console, and as a visitor of its public addresses. */
  api: Caller
  console: Caller
  visitor: Caller
  agentId: string
  /** The agent's calendar. It has a feed, a booking page, and one event far ahead that nothing changes. */
  home: string
  standing: { id: string; start_time: string; end_time: string }
  /** In the trash of the same calendar. */
  deletedId: string
  feedPath: string
  page: { id: string; slug: string }
  /** All of its calendars, including `home`. */
  calendarIds: readonly string[]
  /** Those that any story may use. */
  openIds: readonly string[]
  /** The first organization's, with hours of its own. */
  ruledId?: string
  webhookId: string
  /** That of its creation. */
  secret: string
  /** How many requests to make one began, and how many succeeded. */
  agents: { begun: number; made: number }
}

type Site = { client: Client; adminToken: string; hookUrl: string }

/** The first organization has most of the load, so that changes meet on its calendars. */
const busyCalendars = 12
const madeAtOnce = 8
const standingAheadMs = 60 * 24 * 60 * minuteMs

const eventTypes = ['created', 'updated', 'deleted', 'started', 'ended', 'reminder'].map((name) => `event.${name}`)
const holdTypes = ['created', 'expired', 'released', 'confirmed'].map((name) => `event.hold_${name}`)

export async function makeTenants(site: Site, count: number): Promise<Tenant[]> {
  const { version } = await site.client.as({ address: '10.0.0.1' }).require('GET', '/v1/auth/terms/current')
  const tenants: Tenant[] = []
  let next = 0
  const makeNext = async () => {
    while (next < count) {
      const nth = next++
      tenants[nth] = await makeTenant(site, nth, version)
    }
  }
  await Promise.all(Array.from({ length: madeAtOnce }, makeNext))
  return tenants
}

async function makeTenant({ client, adminToken, hookUrl }: Site, nth: number, terms: string): Promise<Tenant> {
  const mark = `maker-${nth}-${randomBytes(8).toString('hex')}`
  const address = `10.1.0.${nth + 1}`
  const { orgId, key, session, password } = await signUp(client, { mark, address, adminToken, terms })
  const api = client.as({ orgId, address, token: key })
  const make = (path: string, body: object) => api.require('POST', path, body)
  const named = (what: string) => ({ name: `${what} of ${mark}` })

  const agent = await make('/v1/agents', { ...named('Agent'), type: 'ai' })
  const home = await make(`/v1/agents/${agent.id}/calendars`, { ...named('Home'), timezone: 'UTC' })
  const feedPath = new URL(home.ical_url).pathname
  const page = await make('/v1/booking-pages', { calendar_id: home.id, title: `Page of ${mark}` })
  const slug = new URL(page.booking_url).pathname.split('/').at(-1)!
  client.owners.note(orgId, slug, feedPath.split('/').at(-1)!.replace('.ics', ''))
  const webhook = await make('/v1/webhooks', { url: `${hookUrl}/${orgId}`, events: [...eventTypes, ...holdTypes] })
  const standing = { title: `Standing of ${mark}`, reminders: [], ...standingTime(nth) }
  const { id } = await make(`/v1/calendars/${home.id}/events`, standing)
  const deleted = await make(`/v1/calendars/${home.id}/events`, { ...standing, title: `Deleted of ${mark}` })
  await api.require('DELETE', `/v1/events/${deleted.id}`)
  const calendarIds = [home.id]
  while (nth === 0 && calendarIds.length <= busyCalendars) {
    calendarIds.push((await make('/v1/calendars', { ...named('Calendar'), timezone: 'UTC' })).id)
  }
  const openIds = [...calendarIds]
  const ruled = nth === 0 ? await make('/v1/calendars', { ...named('Ruled'), timezone: 'UTC' }) : undefined
  if (ruled) calendarIds.push(ruled.id)
  return {
    ...{ orgId, mark, address, session, password },
    api,
    console: client.as({ orgId, address, token: session }),
    visitor: client.as({ orgId, address }),
    agentId: agent.id,
    home: home.id,
    standing: { id, start_time: standing.start_time, end_time: standing.end_time },
    deletedId: deleted.id,
    feedPath,
    page: { id: page.id, slug },
    calendarIds,
    openIds,
    ...(ruled && { ruledId: ruled.id }),
    webhookId: webhook.id,
    secret: webhook.secret,
    agents: { begun: 1, made: 1 },
  }
}

type NewTenant = { mark: string; address: string; adminToken: string; terms: string }

async function signUp(client: Client, { mark, address, adminToken, terms }: NewTenant) {
  const email = `${mark}@example.com`
  const password = randomBytes(12).toString('hex')
  const body = { email, password, name: `Organization of ${mark}`, tos_version: terms }
  const signed = await client.as({ address }).require('POST', '/v1/auth/signup', body, ({ org }) => org.email === email)
  const orgId: string = signed.org.id
  client.owners.note(orgId, orgId, mark)
  const plan = { plan: 'custom', limits: { api_calls: 1_000_000_000 }, rate_limit_per_second: 100_000 }
  await client
    .as({ address, token: adminToken })
    .require('PATCH', `/v1/admin/orgs/${orgId}`, plan, ({ id }) => id === orgId)
  const own = await client.as({ orgId, address, token: signed.token }).require('POST', '/v1/auth/keys')
  client.owners.note(orgId, own.key_prefix)
  return { orgId, session: signed.token as string, key: own.key as string, password }
}

/** Each organization has another time, so that a busy time shows whose it is. */
function standingTime(nth: number) {
  const hour = Math.ceil((Date.now() + standingAheadMs) / (60 * minuteMs)) * 60 * minuteMs
  const at = (minutes: number) => new Date(hour + minutes * minuteMs).toISOString()
  return { start_time: at(nth), end_time: at(nth + 5) }
}
