// Channels: a provider announces through them that a calendar has changed. They end by themselves, and messages are lost, so
// reading by the clock never depends on them. The wanted channels are compared with the existing ones after every change.
import type { App } from '../app.ts'
import { accountOf } from '../connections/account.ts'
import { providerOf } from '../connections/providers.ts'
import { type ConnectionKey, calendarsOf, type ExternalCalendarRow } from '../connections/queries.ts'
import { channelContext, remoteContext } from '../connections/sealed.ts'
import { checkTarget } from '../outbound/addresses.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { jobs } from '../wakeups/jobs.ts'
import {
  type ChannelRow,
  type ClaimedWatch,
  channelsOf,
  claimWatch,
  confirmChannel,
  endWatch,
  insertChannel,
  readNow,
  removeChannel,
} from './channelWrites.ts'

const lifeMs = 7 * dayMs
const retryMs = 5 * minuteMs
/** A calendar that the provider tells nothing about is asked for again after this. */
const refusedMs = 6 * hourMs

/** Providers send to public https addresses alone. Elsewhere channels bring nothing, and calendars are read by the clock. */
export const canBeHeard = ({ config }: App): boolean => checkTarget(config.baseUrl, []).ok

type Watching = Required<Pick<Provider, 'watch' | 'stop'>>

/** Makes, renews and stops the channels of a connection, if they are due. */
export async function watchConnection(app: App, key: ConnectionKey): Promise<void> {
  const [due] = await claimWatch(app.sql, key, jobs.watch.leaseMs)
  if (!due) return
  const provider = providerOf(app, due.provider, due.orgId)
  const { watch, stop } = provider ?? {}
  const isHeard = canBeHeard(app)
  if (!watch || !stop || (!isHeard && (await channelsOf(app.sql, due)).length === 0)) {
    await endWatch(app.sql, key, null)
    return
  }
  const usable = await accountOf(app, due)
  // A consent that has ended is found out by the next read.
  if (usable.kind !== 'account') return endAt(app, key, retryMs)
  const next = await compare(app, due, { watch, stop }, usable.account, isHeard)
  await endWatch(app.sql, key, next)
}

const endAt = async (app: App, key: ConnectionKey, ms: number): Promise<void> => {
  await endWatch(app.sql, key, new Date(app.clock.now().getTime() + ms))
}

/** Returns when something is to be done next. */
async function compare(
  app: App,
  due: ClaimedWatch,
  ways: Watching,
  account: Account,
  isHeard: boolean,
): Promise<Date | null> {
  const now = app.clock.now()
  const all = await calendarsOf(app.sql, due.orgId, due.id)
  const toWatch = all.filter((one) => isHeard && one.isSelected && one.isReadable)
  const channels = await channelsOf(app.sql, due)
  const moments: Date[] = []
  let isReadDue = false
  for (const calendar of toWatch) {
    const own = channels.filter((one) => one.externalCalendarId === calendar.id)
    const good = own.find((one) => one.resourceSealed !== null && one.renewAt > now)
    const made = good ?? (await make(app, due, ways, account, calendar))
    moments.push('retryAt' in made ? made.retryAt : made.renewAt)
    if (good) continue
    // Something may have changed before the first one lived, or since the last one failed.
    isReadDue ||= 'retryAt' in made ? own.length > 0 : !own.some((one) => one.expiresAt > now)
    if (!('retryAt' in made)) await stopAll(app, ways, account, own)
  }
  const kept = new Set<Uuid>(toWatch.map(({ id }) => id))
  const toStop = channels.filter((one) => !kept.has(one.externalCalendarId))
  await stopAll(app, ways, account, toStop)
  if (isReadDue) await readNow(app.sql, due, now)
  return moments.length === 0 ? null : new Date(Math.min(...moments.map((one) => one.getTime())))
}

async function make(
  app: App,
  due: ClaimedWatch,
  { watch }: Watching,
  account: Account,
  calendar: ExternalCalendarRow,
): Promise<{ renewAt: Date } | { retryAt: Date }> {
  const now = app.clock.now()
  const [id, secret] = [newId(), randomToken()]
  const until = new Date(now.getTime() + lifeMs)
  const key = { orgId: due.orgId, id }
  const row = { ...key, connectionId: due.id, externalCalendarId: calendar.id, tokenDigest: sha256(secret), until }
  await insertChannel(app.sql, row, now)
  const answer = await watch(account, {
    remote: app.sealer.unseal(remoteContext(calendar.id), calendar.remoteSealed),
    id,
    secret,
    pushUrl: `${app.config.baseUrl}/v1/calendar-connections/push/${due.provider}`,
    now,
    until,
  })
  if (answer.kind !== 'watching') {
    await removeChannel(app.sql, key)
    const waitMs = answer.kind === 'rejected' ? refusedMs : (answer.kind === 'failed' && answer.retryAfterMs) || retryMs
    return { retryAt: new Date(now.getTime() + waitMs) }
  }
  const { resource, expiresAt } = answer
  const renewAt = new Date(now.getTime() + Math.max(minuteMs, (expiresAt.getTime() - now.getTime()) / 2))
  await confirmChannel(app.sql, {
    ...key,
    resourceSealed: app.sealer.seal(channelContext(id), resource),
    renewAt,
    expiresAt,
  })
  return { renewAt }
}

/** Those that cannot be stopped end by themselves. */
export async function stopAll(
  app: App,
  { stop }: Pick<Watching, 'stop'>,
  account: Account,
  channels: readonly ChannelRow[],
): Promise<void> {
  for (const channel of channels) {
    if (channel.resourceSealed) {
      await stop(account, {
        id: channel.id,
        resource: app.sealer.unseal(channelContext(channel.id), channel.resourceSealed),
      })
    }
    await removeChannel(app.sql, channel)
  }
}
