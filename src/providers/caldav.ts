// CalDAV as a provider of calendars.
import type { Reader } from '../foreign/foreign.ts'
import type { Http } from '../outbound/http.ts'
import { isZone } from '../shapes/zones.ts'
import { accessOf } from './caldavAccess.ts'
import type { CaldavServer } from './caldavDiscovery.ts'
import { readCalendar } from './caldavRead.ts'
import { putObject, removeObject } from './caldavWrite.ts'
import {
  caldavName,
  calendarServer,
  type Dav,
  type DavResponse,
  type DavTrouble,
  dav,
  isLimit,
  openDav,
  propfindBody,
} from './dav.ts'
import type { Account, Closed, Failed, Provider, Refused, RemoteCalendar } from './provider.ts'
import { readEach } from './readEach.ts'
import { retryAfterMsOf } from './retryAfter.ts'
import { childOf, textOf } from './xml.ts'

type CaldavCredentials = { username: string; password: string }

const readMs = 60_000
const listMs = 25_000
/** Of all answers to one listing. */
const maxListBytes = 1024 * 1024
/** Of one copy, which may take several requests. */
const writeMs = 20_000

export const caldavProvider = (http: Http, reader: Reader): Provider => ({
  async listCalendars(account) {
    const { client, server } = opened(http, reader, account, {
      deadline: performance.now() + listMs,
      maxBytes: maxListBytes,
    })
    const answer = await client.request('PROPFIND', server.home, { depth: '1', body: calendarProps })
    if (answer.kind !== 'multistatus') return outcomeOf(answer)
    const primary = await defaultCalendar(client, server)
    const calendars = answer.responses.flatMap((response) => remoteCalendar(response) ?? [])
    const isNamed = calendars.some(({ remote }) => remote === primary)
    return {
      kind: 'listed',
      calendars: calendars.map((calendar, nth) => ({
        ...calendar,
        isPrimary: isNamed ? calendar.remote === primary : nth === 0,
      })),
    }
  },
  async read(account, tasks, each) {
    const { client, server } = opened(http, reader, account, { deadline: performance.now() + readMs })
    return readEach(tasks, 1, each, async (task) => {
      const result = await readCalendar(client, reader, server.addresses, task)
      return result.kind === 'read' ? result : outcomeOf(result)
    })
  },
  expresses: () => true,
  async put(account, target, copy) {
    const answer = await putObject(
      opened(http, reader, account, { deadline: performance.now() + writeMs }).client,
      target,
      copy,
    )
    return isTrouble(answer) ? outcomeOf(answer) : answer
  },
  async remove(account, target) {
    const answer = await removeObject(
      opened(http, reader, account, { deadline: performance.now() + writeMs }).client,
      target,
    )
    return isTrouble(answer) ? outcomeOf(answer) : answer
  },
})

const outcomes = new Set<string>(['written', 'deleted', 'rejected', 'lost', 'removed'])
const isTrouble = <Answer extends { kind: string }>(answer: Answer | DavTrouble): answer is DavTrouble =>
  !outcomes.has(answer.kind)

function opened(
  http: Http,
  reader: Reader,
  account: Account,
  limits: Parameters<typeof openDav>[3],
): { client: Dav; server: CaldavServer } {
  const server = JSON.parse(account.server) as CaldavServer
  const credentials = JSON.parse(account.credentials) as CaldavCredentials
  return { client: openDav({ http, reader }, server.origin, credentials, limits), server }
}

const calendarProps = propfindBody(
  ...['d:resourcetype', 'd:displayname', 'd:current-user-privilege-set'],
  ...['c:calendar-timezone', 'c:supported-calendar-component-set', 'c:schedule-calendar-transp'],
)

/** Where the server puts invitations; undefined if it does not say. */
async function defaultCalendar(client: Dav, { inbox }: CaldavServer): Promise<string | undefined> {
  if (inbox === null) return undefined
  const body = propfindBody('c:schedule-default-calendar-URL')
  const answer = await client.request('PROPFIND', inbox, { depth: '0', body })
  if (answer.kind !== 'multistatus') return undefined
  const props = answer.responses[0]?.props
  const href = textOf(childOf(props, caldavName('schedule-default-calendar-URL'), dav('href')))
  return href === undefined ? undefined : URL.parse(href, inbox)?.href
}

/** Undefined for anything but a calendar of events. */
function remoteCalendar({ href, props }: DavResponse): RemoteCalendar | undefined {
  const type = childOf(props, dav('resourcetype'))
  const isSubscribed = childOf(type, calendarServer('subscribed')) !== undefined
  if (!isSubscribed && !childOf(type, caldavName('calendar'))) return undefined
  const components = childOf(props, caldavName('supported-calendar-component-set'))
  if (components && !components.children.some(({ attributes }) => attributes.name?.toUpperCase() === 'VEVENT')) {
    return undefined
  }
  const transparency = childOf(props, caldavName('schedule-calendar-transp'))
  const name = textOf(childOf(props, dav('displayname'))) ?? lastSegment(href)
  return {
    remote: href,
    name: name
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 255),
    isPrimary: false,
    isFeed: isSubscribed || childOf(transparency, caldavName('transparent')) !== undefined,
    timezone: zoneOf(textOf(childOf(props, caldavName('calendar-timezone')))),
    ...accessOf(childOf(props, dav('current-user-privilege-set'))),
  }
}

function lastSegment(href: string): string {
  const segment = new URL(href).pathname.split('/').findLast((part) => part !== '') ?? 'Calendar'
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The zone that a VTIMEZONE names, if it is one of IANA. */
function zoneOf(text: string | undefined): string | null {
  const named = /^(?:X-LIC-LOCATION|TZID)[^:\r\n]*:(.+?)\s*$/gim
  for (const [, name] of (text ?? '').matchAll(named)) {
    const plain = name!.replace(/^\/[^/]+\/(?:[^/]+\/)?(?=[A-Z]\w+\/)/, '')
    if (isZone(plain)) return plain
  }
  return null
}

function outcomeOf(trouble: DavTrouble): Failed | Refused | Closed {
  switch (trouble.kind) {
    case 'unauthorized':
      return { kind: 'refused' }
    case 'closed':
      return { kind: 'closed' }
    case 'unreachable':
    case 'too_large':
    case 'malformed':
      return { kind: 'failed', category: trouble.kind, message: sentences[trouble.kind] }
    case 'refused_address':
      return { kind: 'failed', category: 'unreachable', message: sentences.unreachable }
    case 'foreign':
      return { kind: 'failed', category: 'malformed', message: sentences.malformed }
    case 'status':
      return ofStatus(trouble)
  }
}

const sentences = {
  unreachable: 'The calendar server did not answer in time.',
  too_large: 'The answer of the calendar server is too large.',
  malformed: 'The answer of the calendar server cannot be understood.',
  provider_error: 'The calendar server failed.',
  forbidden: 'The calendar server denies access to this calendar.',
  not_found: 'The calendar server no longer has this calendar.',
  rate_limited: 'The calendar server limits our requests at the moment.',
}

function ofStatus(trouble: DavTrouble & { kind: 'status' }): Failed {
  const { status, retryAfter } = trouble
  if (isLimit(trouble)) {
    const wait = retryAfterMsOf({ 'retry-after': retryAfter })
    return { kind: 'failed', category: 'rate_limited', message: sentences.rate_limited, ...wait }
  }
  if (status === 403) return { kind: 'failed', category: 'forbidden', message: sentences.forbidden }
  if (status === 404 || status === 410) return { kind: 'failed', category: 'not_found', message: sentences.not_found }
  return { kind: 'failed', category: 'provider_error', message: sentences.provider_error }
}
