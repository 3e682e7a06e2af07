// A message of a provider: something has changed, and it does not say what. Every message gets the same answer; it counts only
// with the secret of a known channel.
import { timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import type { OauthProviderName } from '../providers/oauthProvider.ts'
import { openUnknownKeys } from '../quotas/strangers.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { channelNamed, type KnownChannel, notify } from './channelWrites.ts'

/** `isChange`: false for a message that only says that the channel lives. */
type Message = { channelId: string; secret: string; isChange: boolean }

export const unknownChannels = { name: 'unknown_channels' }
const maxKnown = 50_000

/** Providers push often and from few addresses: a channel that was found before is looked up whatever came from there. */
function openChannels(app: App) {
  const strangers = openUnknownKeys(app, unknownChannels.name)
  const known = new Set<string>()
  return {
    /**
     * The channel if `isRight`, with the secret of the message; undefined without a lookup for a message that is known to be
     * wrong.
     */
    async find(sent: string, ip: string | null, id: Uuid, isRight: (channel: KnownChannel) => boolean) {
      const name = sha256(`${id} ${sent}`).toString('base64url')
      if (strangers.isUnknown(name)) return undefined
      if (!known.has(name) && strangers.isExcess(ip)) {
        strangers.refuse()
        return undefined
      }
      const [channel] = await channelNamed(app.sql, id)
      if (channel && isRight(channel)) {
        if (known.size >= maxKnown) known.clear()
        known.add(name)
        return channel
      }
      strangers.remember(name, ip)
      known.delete(name)
      return undefined
    },
  }
}

export const channelsOf = (app: App) => app.memory(openChannels)

/** `unknown`: no such channel, or not its secret. `ignored`: the connection is paused or broken. */
type PushOutcome = 'taken' | 'sync' | 'unknown' | 'ignored'

/** `ip`: of the client. */
export async function receivePush(
  app: App,
  provider: OauthProviderName,
  message: Message,
  ip: string | null,
): Promise<PushOutcome> {
  const outcome = await take(app, provider, message, ip)
  app.metrics.externalPushes.inc({ provider, outcome })
  return outcome
}

async function take(
  app: App,
  provider: OauthProviderName,
  { channelId, secret, isChange }: Message,
  ip: string | null,
): Promise<PushOutcome> {
  const digest = sha256(secret)
  const isRight = (channel: KnownChannel) =>
    timingSafeEqual(digest, channel.tokenDigest) && channel.provider === provider
  const channel = isChannelId(channelId) ? await channelsOf(app).find(secret, ip, channelId, isRight) : undefined
  if (!channel) return 'unknown'
  if (!isChange) return 'sync'
  const now = app.clock.now()
  const key = { orgId: channel.orgId, id: channel.connectionId }
  const [notified] = await notify(app.sql, key, now)
  if (!notified) return 'ignored'
  app.bell.ring([wakeup('read', key, now)])
  return 'taken'
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const isChannelId = (text: string): text is Uuid => idPattern.test(text)
