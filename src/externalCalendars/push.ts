// A message of a provider: something has changed, nobody knows what. Whatever was sent is answered alike; only the secret of a known
// channel makes it count.
import { timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import type { OauthProviderName } from '../providers/oauthProvider.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { wakeRead } from '../wakeups/jobs.ts'
import { channelNamed, notify } from './channelWrites.ts'

/** `isChange`: false for a message that only says that the channel lives. */
type Message = { channelId: string; secret: string; isChange: boolean }

/** `unknown`: no such channel, or not its secret. `ignored`: the connection is paused or broken. */
type PushOutcome = 'taken' | 'sync' | 'unknown' | 'ignored'

export async function receivePush(app: App, provider: OauthProviderName, message: Message): Promise<PushOutcome> {
  const outcome = await take(app, provider, message)
  app.metrics.externalPushes.inc({ provider, outcome })
  return outcome
}

async function take(
  app: App,
  provider: OauthProviderName,
  { channelId, secret, isChange }: Message,
): Promise<PushOutcome> {
  const [channel] = isChannelId(channelId) ? await channelNamed(app.sql, channelId) : []
  const isKnown = timingSafeEqual(sha256(secret), channel?.tokenDigest ?? noDigest)
  if (!channel || !isKnown || channel.provider !== provider) return 'unknown'
  if (!isChange) return 'sync'
  const now = app.clock.now()
  const key = { orgId: channel.orgId, id: channel.connectionId }
  const [notified] = await notify(app.sql, key, now)
  if (!notified) return 'ignored'
  app.bell.ring([wakeRead({ ...key, dueAt: now })])
  return 'taken'
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const isChannelId = (text: string): text is Uuid => idPattern.test(text)

const noDigest = Buffer.alloc(32)
