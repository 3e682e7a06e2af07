// Google as a provider of calendars.
import type { Reader } from '../foreign/foreign.ts'
import type { Http } from '../outbound/http.ts'
import { isZone } from '../shapes/zones.ts'
import { googleFailure, googleTrouble, openGoogleApi } from './googleApi.ts'
import { readGoogle } from './googleRead.ts'
import { stopGoogle, watchGoogle } from './googleWatch.ts'
import { putGoogle, removeGoogle } from './googleWrite.ts'
import type { OauthProvider } from './oauthProvider.ts'
import type { Provider, RemoteCalendar } from './provider.ts'

const listMs = 25_000
const writeMs = 20_000
const watchMs = 10_000
const pageSize = 250
/** Pages may be empty, so their number says little; an endless list counts as invalid. */
const maxPages = 40

export const googleProvider = (http: Http, reader: Reader, oauth: OauthProvider): Provider => ({
  oauth,
  async listCalendars({ credentials, server }) {
    const api = openGoogleApi({ http, reader }, server, credentials, performance.now() + listMs)
    const calendars: RemoteCalendar[] = []
    let pageToken: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const query = new URLSearchParams({ maxResults: String(pageSize), ...(pageToken && { pageToken }) })
      const answer = await api.request({ method: 'GET', path: `/users/me/calendarList?${query}` })
      if (answer.kind === 'status') return googleTrouble(answer)
      if (answer.kind !== 'answered') return answer
      const body = answer.body as { items?: unknown; nextPageToken?: unknown } | undefined
      if (typeof body !== 'object' || body === null) return googleFailure('malformed')
      const items = Array.isArray(body.items) ? (body.items as Entry[]) : []
      calendars.push(...items.flatMap((item) => remoteCalendar(item) ?? []))
      pageToken = typeof body.nextPageToken === 'string' ? body.nextPageToken : undefined
      if (pageToken === undefined) return { kind: 'listed', calendars }
    }
    return googleFailure('malformed')
  },
  read: (account, tasks, each) => readGoogle({ http, reader }, account, tasks, each),
  watch: ({ credentials, server }, channel) =>
    watchGoogle(openGoogleApi({ http, reader }, server, credentials, performance.now() + watchMs), channel),
  stop: ({ credentials, server }, channel) =>
    stopGoogle(openGoogleApi({ http, reader }, server, credentials, performance.now() + watchMs), channel),
  // A start has one time, which is the rule's.
  expresses: ({ beginsInGap }) => !beginsInGap,
  put: ({ credentials, server }, target, copy) =>
    putGoogle(openGoogleApi({ http, reader }, server, credentials, performance.now() + writeMs), target, copy),
  remove: ({ credentials, server }, target) =>
    removeGoogle(openGoogleApi({ http, reader }, server, credentials, performance.now() + writeMs), target),
})

type Entry = {
  id?: unknown
  summary?: unknown
  summaryOverride?: unknown
  primary?: unknown
  timeZone?: unknown
  accessRole?: unknown
  deleted?: unknown
}

const roles = { owner: 'owner', writer: 'writer', reader: 'reader', freeBusyReader: 'free_busy' } as const

/** Holidays, birthdays, week numbers and feeds: their identifiers say so. */
const feedPattern = /@(import|group\.v)\.calendar\.google\.com$|#(holiday|contacts|weeknum)@/

/** Undefined for one that was removed. */
function remoteCalendar(entry: Entry): RemoteCalendar | undefined {
  const { id, summary, summaryOverride, primary, timeZone, accessRole, deleted } = entry
  if (typeof id !== 'string' || id === '' || deleted === true) return undefined
  const name = [summaryOverride, summary].find((one) => typeof one === 'string' && one !== '') as string | undefined
  const role = roles[accessRole as keyof typeof roles] ?? null
  return {
    remote: id,
    name: (name ?? id)
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 255),
    accessRole: role,
    isPrimary: primary === true,
    isFeed: feedPattern.test(id),
    timezone: typeof timeZone === 'string' && isZone(timeZone) ? timeZone : null,
    isReadable: role !== null,
    isWritable: role === 'owner',
  }
}
