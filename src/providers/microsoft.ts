// Microsoft as a provider of calendars.
import { z } from 'zod'
import type { Reader } from '../foreign/foreign.ts'
import type { Http } from '../outbound/http.ts'
import { isTrouble, openGraph, outcomeOf } from './graph.ts'
import { readCalendar } from './microsoftRead.ts'
import { hasPattern } from './microsoftRecurrence.ts'
import { stopWatching, watchCalendar } from './microsoftWatch.ts'
import { putEvent, removeEvent } from './microsoftWrite.ts'
import type { OauthProvider } from './oauthProvider.ts'
import type { Provider, RemoteCalendar } from './provider.ts'
import { readEach } from './readEach.ts'

const readMs = 60_000
const listMs = 25_000
/** Of one copy, which may take several requests. */
const writeMs = 20_000
/** Microsoft validates our address meanwhile. */
const watchMs = 25_000
const maxPages = 20
/** Of one mailbox, which takes four requests; the fourth is left to writes. */
const readsAtOnce = 3

export const microsoftProvider = (http: Http, reader: Reader, oauth: OauthProvider): Provider => ({
  oauth,
  async listCalendars(account) {
    const graph = openGraph({ http, reader }, account, performance.now() + listMs)
    const found: GraphCalendar[] = []
    let path: string | undefined = '/me/calendars?$top=100'
    for (let nth = 0; nth < maxPages && path !== undefined; nth++) {
      const answer: Awaited<ReturnType<typeof graph.get<typeof calendarPage>>> = await graph.get(path, calendarPage)
      if (answer.kind !== 'ok') return outcomeOf(answer)
      found.push(...answer.body.value)
      path = answer.body['@odata.nextLink']
    }
    const owner = found.find(({ isDefaultCalendar }) => isDefaultCalendar)?.owner?.address ?? undefined
    return { kind: 'listed', calendars: found.map((calendar) => remoteCalendar(calendar, owner)) }
  },
  async read(account, tasks, each) {
    const graph = openGraph({ http, reader }, account, performance.now() + readMs)
    return readEach(tasks, readsAtOnce, each, async (task) => {
      const result = await readCalendar(graph, task)
      return result.kind === 'read' ? result : outcomeOf(result)
    })
  },
  watch: (account, channel) =>
    watchCalendar(openGraph({ http, reader }, account, performance.now() + watchMs), channel),
  stop: (account, channel) => stopWatching(openGraph({ http, reader }, account, performance.now() + watchMs), channel),
  // Its series have no further dates, and those by a clock are left to calendars that take any IANA zone.
  expresses: ({ rule, zone, hasDates }) => zone === null && !hasDates && hasPattern(rule),
  async put(account, target, copy) {
    const answer = await putEvent(openGraph({ http, reader }, account, performance.now() + writeMs), target, copy)
    return isTrouble(answer) ? outcomeOf(answer) : answer
  },
  async remove(account, target) {
    const answer = await removeEvent(openGraph({ http, reader }, account, performance.now() + writeMs), target)
    return isTrouble(answer) ? outcomeOf(answer) : answer
  },
})

const calendar = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  isDefaultCalendar: z.boolean().nullish(),
  canEdit: z.boolean().nullish(),
  canShare: z.boolean().nullish(),
  owner: z.object({ address: z.string().nullish() }).nullish(),
})
type GraphCalendar = z.infer<typeof calendar>

const calendarPage = z.object({ value: z.array(calendar), '@odata.nextLink': z.string().optional() })

/** `owner` is the address of the account. Its zone is unknown. */
function remoteCalendar(
  { id, name, isDefaultCalendar, canEdit, canShare, ...rest }: GraphCalendar,
  owner: string | undefined,
): RemoteCalendar {
  const isPrimary = isDefaultCalendar === true
  const isWritable = canEdit === true
  const isOwn = rest.owner?.address === undefined || rest.owner.address === owner
  return {
    remote: id,
    name: (name ?? 'Calendar')
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 255),
    accessRole: canShare === true ? 'owner' : isWritable ? 'writer' : 'reader',
    isPrimary,
    // Holidays, birthdays and subscribed calendars are one's own, and still cannot be edited.
    isFeed: !isPrimary && !isWritable && isOwn,
    timezone: null,
    isReadable: true,
    isWritable,
  }
}
