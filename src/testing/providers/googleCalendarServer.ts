// An emulator of Google for tests: authorizations and the part of the calendar interface that the product uses, over real HTTP.
// `quirk` is what goes wrong.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { busyOf, type GoogleCalendar, openGoogleAccounts } from './googleCalendarAccounts.ts'
import { type GoogleAnswer, googleError } from './googleCalendarAnswers.ts'
import { openGoogleChannels } from './googleCalendarChannels.ts'
import { answerEvents } from './googleCalendarEvents.ts'
import { clientId, clientSecret, openGoogleOauth } from './googleCalendarOauth.ts'

type Asked = { method: string; path: string; authorization: string | undefined; body: string }

/** The fault instead of an answer. `drop`: the request is carried out, and its answer is lost. */
type Quirk =
  | { kind: 'answer'; answer: GoogleAnswer }
  | { kind: 'hang' }
  | { kind: 'drop' }
  | { kind: 'slow'; ms: number }

const maxRangeMs = 90 * 24 * 60 * 60_000
const scope = (name: string) => `https://www.googleapis.com/auth/${name}`
export const googleScopes = {
  lists: scope('calendar.calendarlist.readonly'),
  availability: scope('calendar.events.freebusy'),
  publishing: scope('calendar.events.owned'),
}

export async function openGoogleServer() {
  const channels = openGoogleChannels()
  const human = openGoogleAccounts((calendar) => channels.announce(calendar.id))
  const oauth = await openGoogleOauth(human.accounts)
  const asked: Asked[] = []
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  oauth.issuer = origin

  const google = {
    ...human,
    oauth,
    channels,
    asked,
    origin,
    quirk: (_asked: Asked): Quirk | undefined => undefined,
    /** Every answer takes this long. */
    delayMs: 0,
    /** Entries of a page of the list of calendars; every second page is empty. */
    pageSize: 100,
    /** As `CALENDAR_PROVIDERS` names it. */
    settings: {
      client_id: clientId,
      client_secret: clientSecret,
      issuer: origin,
      authorization_url: `${origin}/o/oauth2/v2/auth`,
      token_url: `${origin}/token`,
      revocation_url: `${origin}/revoke`,
      api_url: `${origin}/calendar/v3`,
    },
    setClock(now: () => number): void {
      oauth.now = now
      channels.now = now
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one: Asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    asked.push(one)
    const quirk = google.quirk(one)
    if (quirk?.kind === 'hang') return
    const answer = quirk?.kind === 'answer' ? quirk.answer : await answerOf(one, request.headers['if-match'])
    // It is on its way: later changes are not in it.
    await pause(quirk?.kind === 'slow' ? quirk.ms : google.delayMs)
    if (quirk?.kind === 'drop') return void request.socket.destroy()
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body)
    response.writeHead(answer.status, { ...(text && { 'content-type': 'application/json' }), ...answer.headers })
    response.end(text)
  }

  async function answerOf(
    { method, path, authorization, body }: Asked,
    ifMatch: string | undefined,
  ): Promise<GoogleAnswer> {
    const url = new URL(path, origin)
    const way = `${method} ${url.pathname}`
    if (way === 'GET /o/oauth2/v2/auth') return oauth.authorize(url.searchParams)
    if (way === 'POST /token') return oauth.token(new URLSearchParams(body))
    if (way === 'POST /revoke') return oauth.revoke(new URLSearchParams(body))
    const holder = oauth.holderOf(authorization)
    if (!holder) return googleError(401, 'authError')
    const account = human.accounts.get(holder.email)!
    const may = (...scopes: string[]) => scopes.some((one) => holder.scopes.includes(one))
    if (way === 'GET /calendar/v3/users/me/calendarList') {
      return may(googleScopes.lists) ? listed(url.searchParams) : insufficient
    }
    if (way === 'POST /calendar/v3/freeBusy')
      return may(googleScopes.availability) ? freeBusy(JSON.parse(body)) : insufficient
    if (way === 'POST /calendar/v3/channels/stop') return channels.stop(JSON.parse(body))
    const entry = /^\/calendar\/v3\/users\/me\/calendarList\/([^/]+)$/.exec(url.pathname)?.[1]
    if (entry !== undefined && method === 'GET') {
      const known = account.calendars.get(decodeURIComponent(entry))
      return known ? { status: 200, body: entryOf(known) } : googleError(404, 'notFound')
    }
    const [, id, rest = ''] = /^\/calendar\/v3\/calendars\/([^/]+)\/events(.*)$/.exec(url.pathname) ?? []
    const calendar = id === undefined ? undefined : account.calendars.get(decodeURIComponent(id))
    if (!calendar) return googleError(404, 'notFound')
    if (rest === '/watch' && method === 'POST') {
      return may(googleScopes.availability) ? channels.watch(calendar.id, JSON.parse(body)) : insufficient
    }
    if (!may(googleScopes.publishing)) return insufficient
    // A reader sees the events and may not write them; with busy time alone no event is found.
    if (method !== 'GET' && calendar.accessRole !== 'owner') return googleError(403, 'requiredAccessLevel')
    if (calendar.accessRole === 'freeBusyReader') return googleError(404, 'notFound')
    const answer = answerEvents(calendar, { method, eventId: rest.slice(1), body, ifMatch })
    if (method !== 'GET' && answer.status < 300) channels.announce(calendar.id)
    return answer

    function listed(query: URLSearchParams): GoogleAnswer {
      const all = [...account.calendars.values()]
      const page = Number(query.get('pageToken') ?? 0)
      const first = Math.floor(page / 2) * google.pageSize
      const items = page % 2 === 1 ? [] : all.slice(first, first + google.pageSize)
      const isLast = page % 2 === 0 && first + google.pageSize >= all.length
      const shown = items.map(entryOf)
      return { status: 200, body: { items: shown, ...(!isLast && { nextPageToken: String(page + 1) }) } }
    }

    function freeBusy({
      timeMin,
      timeMax,
      items,
    }: {
      timeMin: string
      timeMax: string
      items: { id: string }[]
    }): GoogleAnswer {
      const [fromMs, toMs] = [Date.parse(timeMin), Date.parse(timeMax)]
      if (!(toMs > fromMs)) return googleError(400, 'timeRangeEmpty')
      if (toMs - fromMs > maxRangeMs) return googleError(400, 'timeRangeTooLong')
      if (items.length > 50) return googleError(400, 'tooManyCalendarsRequested')
      const each = items.map(({ id }) => {
        const calendar = account.calendars.get(id)
        const reason = calendar ? calendar.trouble : 'notFound'
        return [
          id,
          reason ? { errors: [{ domain: 'global', reason }], busy: [] } : { busy: busyOf(calendar!, fromMs, toMs) },
        ]
      })
      return { status: 200, body: { kind: 'calendar#freeBusy', timeMin, timeMax, calendars: Object.fromEntries(each) } }
    }
  }

  return google
}

const entryOf = ({ events: _, trouble: __, ...shown }: GoogleCalendar) => ({
  kind: 'calendar#calendarListEntry',
  ...shown,
})

const insufficient = googleError(403, 'insufficientPermissions')
