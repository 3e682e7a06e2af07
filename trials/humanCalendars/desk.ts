// An organization with a console session, a key, an agent and its calendar, and the humans who connect their accounts there.
import type { ProviderName } from '../../src/providers/rules.ts'
import { made } from '../world/client.ts'
import { type Site, tenant } from './site.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Made = any

export type Desk = Awaited<ReturnType<typeof openDesk>>
type Capabilities = readonly ('availability' | 'publishing')[]

/** An account at a provider that is connected, with its external calendars. `name`: who the human is there. */
export type Account = {
  provider: ProviderName
  name: string
  id: string
  calendars: { id: string; remote: string }[]
}

let desks = 0
let humans = 0

/** Every record that an organization may have, without limits. */
const agreed = { plan: 'custom', rate_limit_per_second: 1_000_000, limits: { calendar_connections: 10_000 } }

export async function openDesk(site: Site) {
  const { call, adminToken } = site
  const email = `desk-${process.pid}-${++desks}@desk${desks}.example.com`
  const { version } = await made(call('GET', '/v1/auth/terms/current'))
  const account = { email, password: 'correct horse battery', tos_version: version }
  const { org, token } = await made(call('POST', '/v1/auth/signup', { body: account }))
  await made(call('PATCH', `/v1/admin/orgs/${org.id}`, { key: adminToken, body: agreed }))
  const { key } = await made(call('POST', '/v1/auth/keys', { key: token }))
  const ask = (method: string, path: string, body?: object): Promise<Made> => made(call(method, path, { key, body }))
  const session = (method: string, path: string, body?: object): Promise<Made> =>
    made(call(method, path, { key: token, body }))
  const makeAgent = async () => {
    const agent = await ask('POST', '/v1/agents', { name: 'Agent', type: 'ai' })
    const calendar = await ask('POST', `/v1/agents/${agent.id}/calendars`, { name: 'Calendar', timezone: 'UTC' })
    return { agentId: agent.id as string, calendarId: calendar.id as string }
  }
  return {
    ...{ orgId: org.id as string, email, token, key, ask, session, makeAgent },
    connect: (provider: ProviderName, capabilities: Capabilities, calendars = 1) =>
      connect(site, { token, session }, provider, capabilities, calendars),
    select: ({ id }: Account, externalIds: readonly string[]) =>
      session('PATCH', `/v1/calendar-connections/${id}`, { selected_external_calendar_ids: externalIds }),
    grant: (agentId: string, externalIds: readonly string[]) =>
      session('POST', '/v1/availability-grants', {
        ...{ external_calendar_ids: externalIds, audience: 'selected_agents', agent_ids: [agentId] },
      }),
    publish: (calendarId: string, externalId: string) =>
      session('PUT', `/v1/calendars/${calendarId}/external-destination`, { external_calendar_id: externalId }),
  }
}

type Console = { token: string; session(method: string, path: string, body?: object): Promise<Made> }

/** A human with an account of their own, which has this many calendars. */
async function connect(
  site: Site,
  desk: Console,
  provider: ProviderName,
  capabilities: Capabilities,
  count: number,
): Promise<Account> {
  const { google, microsoft, radicale } = site
  const nth = ++humans
  if (provider === 'caldav') {
    const name = await radicale.addUser()
    const login = {
      server_url: radicale.origin,
      username: name,
      password: radicale.password,
      capabilities: [...capabilities],
    }
    const { id, calendars } = await desk.session('POST', '/v1/calendar-connections/caldav', login)
    return { provider, name, id, calendars: calendars.map((one: Made) => ({ id: one.id, remote: 'calendar' })) }
  }
  const name = `human-${nth}@example.com`
  const remotes = Array.from({ length: count }, (_, n) => (provider === 'google' && n === 0 ? name : `${nth}-${n}`))
  if (provider === 'google') {
    google.addAccount(name)
    for (const remote of remotes.slice(1)) google.addCalendar(name, remote)
    google.oauth.consent.email = name
  } else {
    // The emulator has one mailbox.
    microsoft.mailbox.clear()
    for (const remote of remotes) microsoft.mailbox.addCalendar(remote)
    microsoft.identity.settings.consent = { kind: 'agree', account: { sub: `sub-${nth}`, tid: tenant, email: name } }
  }
  const path = `/v1/calendar-connections/oauth/${provider}/start`
  const id = await consent(site, desk, (await desk.session('POST', path, { capabilities })).authorization_url, name)
  const { calendars } = await desk.session('GET', `/v1/calendar-connections/${id}`)
  const remoteOf = (label: string) => remotes.find((remote) => remote === label) ?? remotes[0]!
  return { provider, name, id, calendars: calendars.map((one: Made) => ({ id: one.id, remote: remoteOf(one.name) })) }
}

/** Goes to the provider and back. Returns the connection that the console shows for this human. */
export async function consent(site: Site, desk: Console, authorizationUrl: string, name: string): Promise<string> {
  const there = await fetch(authorizationUrl, { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? 'http://nowhere/')
  const answer = await fetch(site.baseUrls[0] + back.pathname + back.search, {
    redirect: 'manual',
    // Each human comes from an address of their own: of one address no more than sixty a minute are let through.
    headers: { cookie: `svc_session=${desk.token}`, 'x-forwarded-for': `10.0.${humans >> 8}.${humans & 255}` },
  })
  if (!answer.headers.get('location')?.endsWith('/connect')) {
    throw new Error(`the way back from the provider led to ${answer.status} ${answer.headers.get('location')}`)
  }
  for (let offset = 0; ; offset += 100) {
    const { data } = await desk.session('GET', `/v1/calendar-connections?limit=100&offset=${offset}`)
    const found = data.find((one: Made) => one.account_label === name)
    if (found) return found.id
    if (data.length === 0) throw new Error(`the console does not show the account ${name}`)
  }
}
