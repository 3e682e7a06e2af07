// A CalDAV server of the tests: real HTTP, an account with calendars, and any quirk that a test wants. A human's changes in
// their calendar are `put` and `remove`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Calendar = { name: string; props: string; objects: Map<string, { data: string; version: number }> }

export type CaldavServer = {
  origin: string
  asked: { method: string; url: string; authorization: string | undefined; body: string }[]
  /** Of the account that may sign in. The calendars are those of `ada`. */
  username: string
  password: string
  /** The answer at the principal of another account: a refusal, or 207 where everybody may look. */
  atOthers: 207 | 401 | 403 | 404
  /** The objects of a calendar, by name. */
  objects(calendar: string): Map<string, string>
  /** Called when a request has taken effect: its answer can be replaced, or dropped. */
  replyAfter: (request: { method: string; url: string }) => Answer | undefined
  /** Instead of the usual answer; undefined gives that. */
  quirk: (request: { method: string; url: string; body: string }) => Answer | undefined
  /** How the server writes its addresses. */
  hrefs: (href: string) => string
  addCalendar(id: string, options?: { name?: string; props?: string }): void
  dropCalendar(id: string): void
  /** `ics` is the whole object, as `vcalendar` of feedServer.ts makes it. */
  put(calendar: string, name: string, ics: string): void
  remove(calendar: string, name: string): void
  close(): Promise<void>
}

type Answer = { status: number; body?: string; headers?: Record<string, string>; hang?: boolean }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const response = (href: string, props: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
const gone = (href: string) =>
  `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`
/** The address that a response is about. */
const inResponse = /(<d:response><d:href>)([^<]*)/g
const multistatus = (...parts: string[]): Answer => ({
  status: 207,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/">${parts.join('')}</d:multistatus>`,
})

const home = '/calendars/ada/'
const allPrivileges =
  '<d:current-user-privilege-set><d:privilege><d:all/></d:privilege><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>'

export async function openCaldavServer(): Promise<CaldavServer> {
  const calendars = new Map<string, Calendar>()
  /** Every change, in order: its number is the token. */
  const changes: { calendar: string; href: string }[] = []
  let versions = 0

  const hrefOf = (calendar: string, name: string) => `${home}${calendar}/${name}`
  const found = (url: string) => calendars.get(/^\/calendars\/ada\/([^/]+)\//.exec(url)?.[1] ?? '')
  const props = ({ name, props: more }: Calendar) =>
    `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${escaped(name)}</d:displayname>${more}`

  function propfind(url: string, depth: string): Answer {
    const principal = `/principals/${server.username}/`
    const isOther = url.startsWith('/principals/') && url !== principal
    if (isOther && server.atOthers !== 207) return { status: server.atOthers }
    if (url === '/' || url === principal || isOther) {
      return multistatus(
        response(
          url,
          `<d:current-user-principal><d:href>${principal}</d:href></d:current-user-principal>
           <c:calendar-home-set><d:href>/calendars/${server.username}/</d:href></c:calendar-home-set>
           <c:calendar-user-address-set><d:href>mailto:ada@example.com</d:href></c:calendar-user-address-set>`,
        ),
      )
    }
    const object = found(url)?.objects.get(url)
    if (object) return multistatus(response(url, `<d:getetag>"${object.version}"</d:getetag><d:resourcetype/>`))
    if (url === home) {
      const each = [...calendars].map(([id, calendar]) => response(`${home}${id}/`, props(calendar)))
      return multistatus(response(home, '<d:resourcetype><d:collection/></d:resourcetype>'), ...each)
    }
    const calendar = found(url)
    if (!calendar) return { status: 404 }
    const own = response(url, `${props(calendar)}<d:sync-token>token-${changes.length}</d:sync-token>`)
    const objects = [...calendar.objects].map(([href, { version }]) =>
      response(href, `<d:getetag>"${version}"</d:getetag><d:resourcetype/>`),
    )
    return depth === '0' ? multistatus(own) : multistatus(own, ...objects)
  }

  function report(url: string, body: string): Answer {
    const calendar = found(url)
    if (!calendar) return { status: 404 }
    if (body.includes('calendar-multiget')) {
      const hrefs = [...body.matchAll(/<d:href>([^<]*)<\/d:href>/g)].map(([, href]) => href!)
      const each = hrefs.map((href) => {
        const path = decodeURIComponent(new URL(href, server.origin).pathname)
        const object = [...calendar.objects].find(([name]) => decodeURIComponent(name) === path)?.[1]
        return object
          ? response(
              href,
              `<d:getetag>"${object.version}"</d:getetag><c:calendar-data>${escaped(object.data)}</c:calendar-data>`,
            )
          : gone(href)
      })
      return multistatus(...each)
    }
    const since = Number(/token-(\d+)/.exec(body)?.[1] ?? 0)
    const hrefs = new Set(
      changes.slice(since).flatMap((change) => (url.includes(change.calendar) ? [change.href] : [])),
    )
    const each = [...hrefs].map((href) => {
      const object = calendar.objects.get(href)
      return object ? response(href, `<d:getetag>"${object.version}"</d:getetag>`) : gone(href)
    })
    return multistatus(...each, `<d:sync-token>token-${changes.length}</d:sync-token>`)
  }

  function readObject(url: string): Answer {
    const object = found(url)?.objects.get(url)
    if (!object) return { status: 404 }
    return { status: 200, headers: { etag: `"${object.version}"` }, body: object.data }
  }

  function write(request: IncomingMessage, url: string, body: string): Answer {
    const calendar = found(url)
    if (!calendar) return { status: request.method === 'PUT' ? 409 : 404 }
    const object = calendar.objects.get(url)
    const wanted = request.headers['if-match']
    if (wanted !== undefined && wanted !== `"${object?.version}"`) return { status: 412 }
    if (request.headers['if-none-match'] === '*' && object) return { status: 412 }
    if (request.method === 'DELETE' && !object) return { status: 404 }
    const [, id = '', name = ''] = /^\/calendars\/ada\/([^/]+)\/(.*)$/.exec(url) ?? []
    if (request.method === 'DELETE') server.remove(id, name)
    else server.put(id, name, body)
    if (request.method === 'DELETE') return { status: 204 }
    return { status: object ? 204 : 201, headers: { etag: `"${versions}"` } }
  }

  function usual(request: IncomingMessage, url: string, body: string): Answer {
    if (url === '/.well-known/caldav') return { status: 301, headers: { location: '/' } }
    const wanted = `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`
    if (request.headers.authorization !== wanted) return { status: 401, headers: { 'www-authenticate': 'Basic' } }
    if (request.method === 'PROPFIND') return propfind(url, String(request.headers.depth))
    if (request.method === 'REPORT') return report(url, body)
    if (request.method === 'GET') return readObject(url)
    if (request.method === 'PUT' || request.method === 'DELETE') return write(request, url, body)
    return { status: 405 }
  }

  const withReply = (request: IncomingMessage, url: string, answered: Answer): Answer =>
    server.replyAfter({ method: request.method!, url }) ?? answered

  async function answer(request: IncomingMessage, to: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const url = request.url ?? '/'
    server.asked.push({ method: request.method!, url, authorization: request.headers.authorization, body })
    const {
      status,
      headers,
      body: text,
      hang,
    } = server.quirk({ method: request.method!, url, body }) ??
    withReply(request, url, usual(request, decodeURI(url), body))
    if (hang) return
    to.writeHead(status, headers).end(text?.replaceAll(inResponse, (_, before, href) => before + server.hrefs(href)))
  }

  const http = createServer((request, to) => void answer(request, to))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: CaldavServer = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked: [],
    username: 'ada',
    password: 'correct horse',
    atOthers: 403,
    quirk: () => undefined,
    replyAfter: () => undefined,
    objects: (calendar) =>
      new Map([...(calendars.get(calendar)?.objects ?? [])].map(([href, { data }]) => [href.split('/').at(-1)!, data])),
    hrefs: (href) => href,
    addCalendar(id, { name = id, props: more = allPrivileges } = {}) {
      calendars.set(id, { name, props: more, objects: new Map() })
    },
    dropCalendar(id) {
      calendars.delete(id)
    },
    put(calendar, name, data) {
      const href = hrefOf(calendar, name)
      calendars.get(calendar)!.objects.set(href, { data, version: ++versions })
      changes.push({ calendar, href })
    },
    remove(calendar, name) {
      const href = hrefOf(calendar, name)
      calendars.get(calendar)!.objects.delete(href)
      changes.push({ calendar, href })
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}
