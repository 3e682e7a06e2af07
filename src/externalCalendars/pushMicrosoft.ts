// Messages of Microsoft: that something has changed, and what becomes of the channel itself.
import { z } from 'zod'
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { channelNamed, type KnownChannel, renewEarly } from './channelWrites.ts'
import { channelsOf, isChannelId, receivePush } from './push.ts'

const maxNotes = 100

const notes = z.object({
  value: z
    .array(z.object({ clientState: z.string().max(200), lifecycleEvent: z.string().optional().catch(undefined) }))
    .max(maxNotes),
})

/** `text` is the raw body; undefined if it is too large. */
export async function receiveMicrosoftPush(
  app: App,
  channelId: string,
  text: string | undefined,
  ip: string | null,
): Promise<void> {
  const read = notes.safeParse(parsed(text))
  const sent = read.success ? read.data.value : []
  const secret = sent[0]?.clientState ?? ''
  // All messages to one address are about one channel.
  const events = new Set(sent.flatMap((one) => (one.clientState === secret ? [one.lifecycleEvent ?? 'changed'] : [])))
  const isChange = [...events].some((event) => event !== reauthorization)
  const outcome = await receivePush(app, 'microsoft', { channelId, secret, isChange }, ip)
  if (outcome !== 'taken' && outcome !== 'sync') return
  const isLost = events.has('subscriptionRemoved')
  if (isLost || events.has(reauthorization)) await replace(app, channelId as Uuid, isLost)
}

/** The channel will end unless it is renewed. */
const reauthorization = 'reauthorizationRequired'

async function replace(app: App, id: Uuid, isLost: boolean): Promise<void> {
  const now = app.clock.now()
  const [channel] = await channelNamed(app.sql, id)
  const [due] = channel ? await renewEarly(app.sql, channel, isLost, now) : []
  if (due) app.bell.ring([wakeup('watch', { orgId: due.orgId, id: due.id }, now)])
}

/** Whether the channel is being made: Microsoft then wants its token back. */
export async function isBeingMade(app: App, channelId: string, ip: string | null): Promise<boolean> {
  if (!isChannelId(channelId)) return false
  const isRight = ({ provider, isMade }: KnownChannel) => provider === 'microsoft' && !isMade
  return (await channelsOf(app).find('while it is made', ip, channelId, isRight)) !== undefined
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
