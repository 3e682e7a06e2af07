// Finding the calendars of a CalDAV account from an address that a human typed (RFC 6764, RFC 4791). The walk to the server
// sends no credentials; from there on they go to the origin at which it ended.
import type { Http } from '../outbound/http.ts'
import {
  caldavName,
  type Dav,
  type DavResponse,
  type DavTrouble,
  type Door,
  dav,
  openDav,
  propfindBody,
} from './dav.ts'
import { childOf, textOf } from './xml.ts'

/** Where an account lives. `addresses` are the human's own, as invitations name them. */
export type CaldavServer = {
  origin: string
  principal: string
  home: string
  inbox: string | null
  addresses: string[]
}

export type Discovered =
  | { kind: 'found'; server: CaldavServer }
  | { kind: 'unauthorized' }
  /** The address leads to no CalDAV server, or to one that may not be asked. */
  | { kind: 'no_caldav' }
  | { kind: 'other_account' }
  | { kind: 'unreachable' }
  | { kind: 'closed' }

const maxRedirects = 3
const discoveryMs = 25_000
/** Of all answers to one discovery. */
const maxDiscoveryBytes = 512 * 1024

type Login = { username: string; password: string }

/** The name of an account within its provider. */
export const accountName = ({ origin, principal }: Pick<CaldavServer, 'origin' | 'principal'>): string =>
  `${origin} ${new URL(principal).pathname.replace(/\/+$/, '')}`

/** `known`: the name of the only account that is looked for. */
export async function discover(door: Door, address: string, login: Login, known?: string): Promise<Discovered> {
  const deadline = performance.now() + discoveryMs
  const start = await walk(door.http, address, deadline)
  if (start.kind !== 'start') return start
  const client = openDav(door, new URL(start.url).origin, login, { deadline, maxBytes: maxDiscoveryBytes })
  const principal = await findPrincipal(client, start.url)
  if (principal.kind !== 'found') return principal
  const name = accountName({ origin: client.origin, principal: principal.href })
  if (known !== undefined && name !== known) return { kind: 'other_account' }
  return findHome(client, principal.href, start.url)
}

const maxAddresses = 6

/**
 * The account that a login belongs to, at the server of a known one. Many servers refuse other accounts at its principal, with 401,
 * 403 or 404, so the root and the collections above it are asked, too. A second 401 is that of a wrong password.
 */
export async function rediscover(door: Door, server: CaldavServer, login: Login): Promise<Discovered> {
  const known = accountName(server)
  let refusals = 0
  for (const address of addressesOfServer(server.principal).slice(0, maxAddresses)) {
    const found = await discover(door, address, login, known)
    if (found.kind === 'unauthorized') refusals++
    else if (found.kind !== 'no_caldav') return found
    if (refusals > 1) break
  }
  return { kind: refusals > 0 ? 'unauthorized' : 'no_caldav' }
}

/** The principal, the root, and the collections between them, the deepest first. */
function addressesOfServer(principal: string): string[] {
  const { origin, pathname } = new URL(principal)
  const parts = pathname.split('/').filter((part) => part !== '')
  const above = parts.map((_, nth) => `${origin}/${parts.slice(0, nth + 1).join('/')}/`).slice(0, -1)
  return [...new Set([principal, `${origin}/`, ...above.reverse()])]
}

type Walked = { kind: 'start'; url: string } | { kind: 'no_caldav' } | { kind: 'unreachable' } | { kind: 'closed' }

/** To where the well-known address leads, or else the address itself does. */
async function walk(http: Http, address: string, deadline: number): Promise<Walked> {
  const typed = new URL(address)
  if (typed.pathname !== '/') return follow(http, typed.href, deadline)
  const wellKnown = await follow(http, new URL('/.well-known/caldav', typed).href, deadline)
  if (wellKnown.kind !== 'start') return wellKnown
  // A server that does not know the address answers there without leading anywhere.
  const isThere = new URL(wellKnown.url).pathname !== '/.well-known/caldav'
  return isThere ? wellKnown : { kind: 'start', url: typed.href }
}

async function follow(http: Http, from: string, deadline: number): Promise<Walked> {
  let url = from
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const outcome = await http.send({
      method: 'PROPFIND',
      url,
      headers: { depth: '0', 'content-type': 'application/xml; charset=utf-8', 'user-agent': 'agent-calendar/1' },
      body: propfindBody('d:current-user-principal'),
      deadlineMs: Math.max(1, Math.min(10_000, Math.round(deadline - performance.now()))),
      // Only the address that it leads to counts.
      maxBytes: 16 * 1024,
    })
    if (outcome.kind === 'failed') {
      if (outcome.reason === 'closed') return { kind: 'closed' }
      return { kind: outcome.reason === 'refused_address' ? 'no_caldav' : 'unreachable' }
    }
    if (outcome.status >= 500) return { kind: 'unreachable' }
    const { location } = outcome.headers
    if (![301, 302, 303, 307, 308].includes(outcome.status) || typeof location !== 'string')
      return { kind: 'start', url }
    const next = URL.parse(location, url)
    if (!next || next.username || next.password) return { kind: 'no_caldav' }
    next.hash = ''
    url = next.href
  }
  return { kind: 'no_caldav' }
}

type Found = { kind: 'found'; href: string } | Exclude<Discovered, { kind: 'found' }>

async function findPrincipal(client: Dav, start: string): Promise<Found> {
  const answer = await client.request('PROPFIND', start, {
    depth: '0',
    body: propfindBody('d:current-user-principal', 'd:principal-URL', 'd:resourcetype'),
  })
  if (answer.kind !== 'multistatus') return outcomeOf(answer)
  const props = answer.responses[0]?.props
  const current = childOf(props, dav('current-user-principal'))
  // The server took the request for an anonymous one.
  if (childOf(current, dav('unauthenticated'))) return { kind: 'unauthorized' }
  const href = textOf(childOf(current, dav('href'))) ?? textOf(childOf(props, dav('principal-URL'), dav('href')))
  return href === undefined ? { kind: 'no_caldav' } : onOrigin(client, href, start)
}

async function findHome(client: Dav, principal: string, start: string): Promise<Discovered> {
  const answer = await client.request('PROPFIND', principal, {
    depth: '0',
    body: propfindBody('c:calendar-home-set', 'c:calendar-user-address-set', 'c:schedule-inbox-URL'),
  })
  if (answer.kind !== 'multistatus') return outcomeOf(answer)
  const props = answer.responses[0]?.props
  const href = textOf(childOf(props, caldavName('calendar-home-set'), dav('href')))
  if (href === undefined) return { kind: 'no_caldav' }
  const home = onOrigin(client, href, start)
  if (home.kind !== 'found') return home
  const inbox = textOf(childOf(props, caldavName('schedule-inbox-URL'), dav('href')))
  const inboxAt = inbox === undefined ? undefined : onOrigin(client, inbox, start)
  if (inboxAt && inboxAt.kind !== 'found') return inboxAt
  const server: CaldavServer = {
    origin: client.origin,
    principal,
    home: home.href,
    inbox: inboxAt?.href ?? null,
    addresses: addressesOf(answer.responses[0]),
  }
  return { kind: 'found', server }
}

const addressesOf = (response: DavResponse | undefined): string[] =>
  (childOf(response?.props, caldavName('calendar-user-address-set'))?.children ?? []).flatMap(
    (element) => textOf(element) ?? [],
  )

/** An address elsewhere ends the attempt: credentials are for one origin. */
function onOrigin(client: Dav, href: string, from: string): Found {
  const url = URL.parse(href, from)
  const isHere = url?.origin === client.origin
  // The client itself refuses addresses outside its origin; iCloud has further ones.
  if (!url || (!isHere && !url.hostname.endsWith('.icloud.com'))) return { kind: 'no_caldav' }
  return { kind: 'found', href: url.href }
}

function outcomeOf(trouble: DavTrouble): Exclude<Discovered, { kind: 'found' }> {
  switch (trouble.kind) {
    case 'unauthorized':
    case 'closed':
    case 'unreachable':
      return { kind: trouble.kind }
    case 'status':
      return { kind: trouble.status >= 500 || trouble.status === 429 ? 'unreachable' : 'no_caldav' }
    default:
      return { kind: 'no_caldav' }
  }
}
