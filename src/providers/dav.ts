// WebDAV requests to one origin, and their answers as values. Credentials go to that origin alone, and an answer that leads
// elsewhere is refused.
import type { Reader } from '../foreign/foreign.ts'
import type { Reading } from '../foreign/reading.ts'
import { calendarText } from '../icalendar/decode.ts'
import type { Http, HttpResponse } from '../outbound/http.ts'
import { charsetOf } from '../shapes/charset.ts'
import { caldavName, dav, type Multistatus as ReadMultistatus } from './multistatus.ts'
import { isSameResource } from './objectName.ts'
import { escapeXml, type XmlElement } from './xml.ts'

export { caldavName, dav }
export const calendarServer = (name: string) => `{http://calendarserver.org/ns/}${name}`

const requestMs = 10_000
const maxAnswerBytes = 10 * 1024 * 1024
/** Of a refusal, which names a condition. */
const maxRefusalBytes = 64 * 1024

/** These few bytes take a few milliseconds at most, whatever they say. */
const module = import.meta.resolve('./multistatus.ts')
const multistatusReading: Reading<string | undefined, ReadMultistatus> = {
  module,
  name: 'readMultistatus',
  atOnceBelow: 16 * 1024,
}
const conditionReading: Reading<string | undefined, string | undefined> = {
  module,
  name: 'readCondition',
  atOnceBelow: 16 * 1024,
}

export type DavTrouble =
  | { kind: 'unauthorized' }
  /** `retryAfter` is that of the answer; `condition` the one that the server names as not met, in Clark notation. */
  | { kind: 'status'; status: number; retryAfter: string | undefined; condition?: string }
  | { kind: 'foreign' }
  | { kind: 'refused_address' }
  | { kind: 'unreachable' }
  | { kind: 'too_large' }
  | { kind: 'malformed' }
  | { kind: 'closed' }

/** The server limits our requests at the moment. */
export const isLimit = ({ status, retryAfter }: { status: number; retryAfter: string | undefined }): boolean =>
  status === 429 || (status === 503 && retryAfter !== undefined)

/** One `response` of a multistatus. `href` is an absolute address of the origin. */
export type DavResponse = { href: string; status: number | undefined; props: XmlElement | undefined }
type Multistatus = { kind: 'multistatus'; responses: DavResponse[]; root: XmlElement }

export type Dav = {
  origin: string
  request(method: string, url: string, options: { depth?: '0' | '1'; body?: string }): Promise<Multistatus | DavTrouble>
  get(url: string, maxBytes?: number): Promise<{ kind: 'body'; body: string; version: string | null } | DavTrouble>
  /** `version`: of the stored object, if the server says it. */
  write(request: DavWrite): Promise<{ kind: 'done'; version: string | null } | DavTrouble>
}

/** Writes or deletes one object, on a condition: it does not exist (`*`), or it has this version. */
type DavWrite = { url: string; body: string | null; ifNone?: true; ifVersion?: string | null }

type Login = { username: string; password: string }

/** `deadline` is a moment of `performance.now()` by which everything must be over; `maxBytes` is the sum of all answers. */
type DavLimits = { deadline: number; maxBytes?: number }

/** `reader` reads the answers. */
export type Door = { http: Http; reader: Reader }

export function openDav(
  { http, reader }: Door,
  origin: string,
  { username, password }: Login,
  { deadline, maxBytes = Number.POSITIVE_INFINITY }: DavLimits,
): Dav {
  let leftBytes = maxBytes
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const isOurs = ownOrigins(origin)

  async function send(
    method: string,
    url: string,
    body: string | undefined,
    further: Readonly<Record<string, string>>,
    maxBodyBytes = maxAnswerBytes,
  ) {
    const left = Math.round(deadline - performance.now())
    if (left <= 0) return { kind: 'unreachable' } as const
    if (!isOurs(url)) return { kind: 'foreign' } as const
    if (leftBytes <= 0) return { kind: 'too_large' } as const
    const outcome = await http.send({
      method,
      url,
      headers: {
        authorization,
        accept: 'text/xml, application/xml, text/calendar;q=0.8, */*;q=0.5',
        'user-agent': 'agent-calendar/1',
        ...(body !== undefined && { 'content-type': 'application/xml; charset=utf-8' }),
        ...further,
      },
      ...(body !== undefined && { body }),
      deadlineMs: Math.min(requestMs, left),
      maxBytes: Math.min(maxBodyBytes, leftBytes),
      gzip: true,
    })
    if (outcome.kind === 'failed') return troubleOf(outcome.reason)
    leftBytes -= outcome.body.length
    if (outcome.status === 401) return { kind: 'unauthorized' } as const
    return outcome
  }

  return {
    origin,
    async request(method, url, { depth, body }) {
      const answer = await send(method, url, body, depth === undefined ? {} : { depth })
      if (answer.kind !== 'response') return answer
      if (answer.status !== 207) return statusOf(answer.status, answer.headers['retry-after'])
      if (answer.truncated) return { kind: 'too_large' }
      const read = await reader.read(multistatusReading, answer.body, contentTypeOf(answer))
      if (read.kind === 'given_up') return { kind: read.why === 'closed' ? 'closed' : 'too_large' }
      if (read.value.kind !== 'multistatus') return read.value
      const { root } = read.value
      const responses: DavResponse[] = []
      for (const one of read.value.responses) {
        const address = one.href === undefined ? undefined : URL.parse(one.href, url)?.href
        if (address === undefined) return { kind: 'malformed' }
        if (!isOurs(address)) return { kind: 'foreign' }
        responses.push({ ...one, href: address })
      }
      // A refusal of the resource itself may stand in a 207; Xandikos escapes its address beyond recognition.
      const own = responses.length === 1 ? responses[0] : responses.find(({ href }) => isSameResource(href, url))
      const status = own?.status ?? 200
      if (method === 'PROPFIND' && status >= 400) return statusOf(status, undefined)
      return { kind: 'multistatus', responses, root }
    },
    async get(url, most) {
      const answer = await send('GET', url, undefined, {}, most)
      if (answer.kind !== 'response') return answer
      if (answer.status !== 200) return statusOf(answer.status, answer.headers['retry-after'])
      if (answer.truncated) return { kind: 'too_large' }
      const body = calendarText(answer.body, charsetOf(answer.headers['content-type']))
      return body === undefined
        ? { kind: 'malformed' }
        : { kind: 'body', body, version: versionOf(answer.headers.etag) }
    },
    async write({ url, body, ifNone, ifVersion }) {
      const answer = await send(
        body === null ? 'DELETE' : 'PUT',
        url,
        body ?? undefined,
        {
          ...(body !== null && { 'content-type': 'text/calendar; charset=utf-8' }),
          ...(ifNone && { 'if-none-match': '*' }),
          ...(ifVersion && { 'if-match': ifVersion }),
        },
        maxRefusalBytes,
      )
      if (answer.kind !== 'response') return answer
      if (answer.status >= 200 && answer.status < 300) return { kind: 'done', version: versionOf(answer.headers.etag) }
      const read = await reader.read(conditionReading, answer.body, contentTypeOf(answer))
      const condition = read.kind === 'read' ? read.value : undefined
      return {
        ...statusOf(answer.status, answer.headers['retry-after']),
        ...(condition !== undefined && { condition }),
      }
    },
  }
}

const contentTypeOf = ({ headers }: HttpResponse): string | undefined => [headers['content-type'] ?? []].flat()[0]

/** Servers that name their parts by further origins under one domain. */
const families = ['.icloud.com']

function ownOrigins(origin: string): (url: string) => boolean {
  const { hostname } = new URL(origin)
  const family = families.find((suffix) => hostname.endsWith(suffix))
  return (address) => {
    const url = URL.parse(address)
    if (!url || url.username || url.password) return false
    if (url.origin === origin) return true
    return family !== undefined && url.protocol === 'https:' && url.port === '' && url.hostname.endsWith(family)
  }
}

function troubleOf(reason: string): DavTrouble {
  if (reason === 'closed' || reason === 'refused_address') return { kind: reason }
  return reason === 'protocol' ? { kind: 'malformed' } : { kind: 'unreachable' }
}

/** A weak one says too little for a condition. */
const versionOf = (etag: string | string[] | undefined): string | null =>
  typeof etag === 'string' && etag.startsWith('"') ? etag : null

const statusOf = (status: number, retryAfter: string | string[] | undefined): DavTrouble & { kind: 'status' } => ({
  kind: 'status',
  status,
  retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
})

const namespaces = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"'

/** `names` have a prefix: `d`, `c` or `s`. */
export const propfindBody = (...names: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><d:propfind ${namespaces}><d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop></d:propfind>`

export const syncBody = (token: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><d:sync-collection ${namespaces}><d:sync-token>${escapeXml(token)}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`

/** `hrefs` are paths. */
export const multigetBody = (hrefs: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><c:calendar-multiget ${namespaces}><d:prop><d:getetag/><c:calendar-data/></d:prop>${hrefs.map((href) => `<d:href>${escapeXml(href)}</d:href>`).join('')}</c:calendar-multiget>`
