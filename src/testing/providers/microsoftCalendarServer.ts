// An emulator of Microsoft's calendars for tests: the identity platform and the part of Graph that the product uses, over real
// HTTP. `mailbox` has the human's actions, `quirk` the faults.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type GraphAnswer, graphError, openDelta } from './microsoftCalendarDelta.ts'
import { openEvents } from './microsoftCalendarEvents.ts'
import { openIdentity } from './microsoftCalendarIdentity.ts'
import { shownCalendar } from './microsoftCalendarItems.ts'
import { openMailbox } from './microsoftCalendarMailbox.ts'
import { openSubscriptions } from './microsoftCalendarSubscriptions.ts'

type Asked = { method: string; path: string; authorization: string | undefined; prefer: string; body: string }

/** The fault instead of an answer. `drop`: the request is carried out, and its answer is lost. */
export type Trouble =
  | { kind: 'answer'; answer: GraphAnswer }
  | { kind: 'hang' }
  | { kind: 'drop' }
  | { kind: 'slow'; ms: number }

export type MicrosoftServer = Awaited<ReturnType<typeof openMicrosoftServer>>

/** Requests of one mailbox at once. */
const maxAtOnce = 4
const calendarsPerPage = 10

export async function openMicrosoftServer(clock: () => number = Date.now) {
  const now = () => server.clock()
  const mailbox = openMailbox('AAMk')
  const identity = openIdentity(now)
  const deltaQuirks = { emptyPages: 0, isDoubled: false, leavesOutMasters: false }
  const delta = openDelta(mailbox, deltaQuirks)
  const events = openEvents(mailbox, now)
  /** Where addresses of the outside world are in the test. */
  const reachable = new Map<string, string>()
  const subscriptions = openSubscriptions(mailbox, now, (url) => {
    const { origin } = new URL(url)
    return (reachable.get(origin) ?? origin) + url.slice(origin.length)
  })
  /** Of each account, by its token. */
  const atOnce = new Map<string, number>()
  let mostAtOnce = 0

  async function answer(request: IncomingMessage, asked: Asked): Promise<GraphAnswer> {
    const url = new URL(asked.path, origin)
    const authority = /^\/[^/]+\/oauth2\/v2\.0\/(authorize|token)$/.exec(url.pathname)?.[1]
    if (authority === 'authorize') return identity.authorize(url.searchParams)
    if (authority === 'token' && asked.method === 'POST') {
      return identity.token(new URLSearchParams(asked.body), asked.authorization)
    }
    if (url.pathname.endsWith('/discovery/v2.0/keys')) return identity.keys()
    if (!url.pathname.startsWith('/v1.0/')) return { status: 404 }
    const holder = identity.holderOf(asked.authorization)
    if (!holder) {
      return graphError(401, 'InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.')
    }
    const may = (...scopes: string[]) => scopes.some((scope) => holder.scopes.includes(scope))
    return graph(request, asked, url, { may, owner: holder.account.sub })
  }

  type Caller = { may: (...scopes: string[]) => boolean; owner: string }

  async function graph(request: IncomingMessage, asked: Asked, url: URL, { may, owner }: Caller): Promise<GraphAnswer> {
    const forbidden = () => graphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
    const parts = url.pathname.split('/').slice(2).map(decodeURIComponent)
    const body = asked.body === '' ? {} : parsed(asked.body)
    if (!body) return graphError(400, 'BadRequest', 'Unable to read JSON request payload.')
    const [first, second, third, fourth, fifth] = parts
    if (first === 'subscriptions') {
      // Graph refuses a permission to write where one to read is due.
      if (!may('Calendars.Read')) return forbidden()
      if (asked.method === 'POST' && second === undefined) {
        await server.onSubscribe(String(body.notificationUrl))
        return subscriptions.create(body, owner)
      }
      if (asked.method === 'PATCH' && second !== undefined) return subscriptions.renew(second, body)
      if (asked.method === 'DELETE' && second !== undefined) return subscriptions.remove(second)
    }
    if (first !== 'me') return graphError(400, 'BadRequest', 'Resource not found for the segment.')
    const isRead = asked.method === 'GET'
    if (!may('Calendars.ReadWrite', ...(isRead ? ['Calendars.Read'] : []))) return forbidden()
    if (second === 'calendars' && third === undefined && isRead) return listCalendars(url)
    const isNested = second === 'calendars'
    if (isNested && !mailbox.calendars.has(third ?? '')) {
      return graphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')
    }
    if (isNested && fourth === 'calendarView' && fifth?.startsWith('delta') && isRead) {
      return delta.answer({ calendar: third!, url, prefer: asked.prefer }, `${origin}/v1.0`)
    }
    if (isNested && fourth === undefined && isRead)
      return { status: 200, body: shownCalendar(mailbox.calendars.get(third!)!) }
    const [kind, id, more] = isNested ? parts.slice(3) : parts.slice(1)
    if (kind !== 'events') return graphError(400, 'BadRequest', 'Resource not found for the segment.')
    const wanted = {
      calendar: isNested ? third : undefined,
      id,
      query: url.searchParams,
      body,
      ifMatch: request.headers['if-match'],
      isImmutable: /IdType="ImmutableId"/i.test(asked.prefer),
    }
    if (isRead && more === 'instances') return events.instances(wanted)
    if (isRead) return id === undefined ? events.list(wanted) : events.get(wanted)
    if (asked.method === 'POST' && id === undefined) return events.create(wanted)
    if (asked.method === 'PATCH') return events.update(wanted)
    if (asked.method === 'DELETE') return events.remove(wanted)
    return { status: 405 }
  }

  function listCalendars(url: URL): GraphAnswer {
    const all = [...mailbox.calendars.values()]
    const skip = Number(url.searchParams.get('$skip') ?? 0)
    const top = Number(url.searchParams.get('$top') ?? calendarsPerPage)
    const isMore = skip + top < all.length
    return {
      status: 200,
      body: {
        '@odata.context': `${origin}/v1.0/$metadata#me/calendars`,
        value: all.slice(skip, skip + top).map(shownCalendar),
        ...(isMore && { '@odata.nextLink': `${origin}/v1.0/me/calendars?$top=${top}&$skip=${skip + top}` }),
      },
    }
  }

  async function serve(request: IncomingMessage, to: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked: Asked = {
      method: request.method!,
      path: request.url ?? '/',
      authorization: request.headers.authorization,
      prefer: String(request.headers.prefer ?? ''),
      body: Buffer.concat(chunks).toString(),
    }
    server.asked.push(asked)
    const isGraph = asked.path.startsWith('/v1.0/me')
    const account = asked.authorization ?? ''
    const others = atOnce.get(account) ?? 0
    if (isGraph && others >= maxAtOnce) {
      return send(to, graphError(429, 'ApplicationThrottled', 'Application is over its MailboxConcurrency limit.'))
    }
    if (isGraph) {
      atOnce.set(account, others + 1)
      mostAtOnce = Math.max(mostAtOnce, others + 1)
    }
    try {
      const trouble = server.quirk(asked)
      if (trouble?.kind === 'hang') return await new Promise<void>((resolve) => to.on('close', resolve))
      const pause = trouble?.kind === 'slow' ? trouble.ms : server.delayMs
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      const given = trouble?.kind === 'answer' ? trouble.answer : await answer(request, asked)
      if (trouble?.kind === 'drop') to.destroy()
      else send(to, given)
    } finally {
      if (isGraph) atOnce.set(account, atOnce.get(account)! - 1)
    }
  }

  const http = createServer((request, to) => void serve(request, to).catch((error) => to.destroy(error as Error)))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  identity.settings.issuer = (tid) => `${origin}/${tid}/v2.0`

  const server = {
    /** Epoch milliseconds. */
    clock,
    origin,
    apiUrl: `${origin}/v1.0`,
    mailbox,
    identity,
    delta: deltaQuirks,
    forgetSyncStates: delta.forget,
    events: events.settings,
    subscriptions,
    reachable,
    asked: [] as Asked[],
    /** Every answer takes this long. */
    delayMs: 0,
    quirk: (_request: Asked): Trouble | undefined => undefined,
    /** Before a subscription is validated. */
    onSubscribe: async (_notificationUrl: string): Promise<void> => {},
    mostAtOnce: () => mostAtOnce,
    /** An account with these permissions, as a provider of connections takes it, without the way through consent. */
    accountOf: (...scopes: string[]) => ({
      credentials: identity.accessTokenFor({ sub: 'ada', tid: 'tenant', email: 'ada@example.com' }, scopes),
      server: `${origin}/v1.0`,
    }),
    /** An entry of CALENDAR_PROVIDERS. */
    configuration: (tid: string) => ({
      client_id: identity.settings.clientId,
      client_secret: identity.settings.clientSecret,
      tenant: 'common',
      login_url: origin,
      api_url: `${origin}/v1.0`,
      issuer: `${origin}/${tid}/v2.0`,
    }),
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

function send(to: ServerResponse, { status, body, headers }: GraphAnswer): void {
  const isText = typeof body === 'string'
  const type = body === undefined ? {} : { 'content-type': isText ? 'text/html' : 'application/json' }
  to.writeHead(status, { ...type, ...headers }).end(
    isText ? body : body === undefined ? undefined : JSON.stringify(body),
  )
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
