// Sends again what a subscription has missed: the selection is decided and stored at once; upkeep sends it (replayWalk.ts).
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { keptSince } from '../changeLog/rules.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { badRequest, conflict, invalid, notFound, rateLimited } from '../errors.ts'
import { atRevision } from '../organizations/caps.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, encodeId, newId, type PublicId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { insertReplay, replayById, replayedSince, replayItems, runningReplay } from './replayWrites.ts'
import type { ReplayBody } from './schema.ts'
import { requireWebhook } from './subscriptions.ts'

const maxReplayed = 10_000
const maxWindowDays = 30
/** Per organization and 24 hours. Deliveries that succeeded before cost nothing of the monthly budget. */
const maxReplayedADay = 100_000

type Status = 'pending' | 'running' | 'done'
type Replay = { id: PublicId<'rpl'>; matched: number; status: Status }

export async function startReplay(app: App, actor: Actor, webhookId: string, body: ReplayBody): Promise<Replay> {
  const now = app.clock.now()
  const window = windowOf(body, now)
  const webhook = await requireWebhook(app, actor, webhookId)
  const missedSince = keptSince(actor.limits, now)
  const items = await replayItems(app.sql, webhook, { ...body, ...window, missedSince, max: maxReplayed + 1 })
  if (items.length > maxReplayed) {
    throw badRequest(
      `More than ${maxReplayed.toLocaleString('en')} deliveries match. Choose a shorter window or fewer types.`,
      'from',
    )
  }
  const row = { orgId: actor.orgId, id: newId(), subscriptionId: webhook.id, createdAt: now }
  const status: Status = items.length === 0 ? 'done' : 'pending'
  const replay = { id: encodeId('rpl', row.id), matched: items.length, status }
  await atRevision(app, actor, async (guard) => {
    const [running] = await runningReplay(app.sql, actor.orgId, webhook.id)
    if (running) throw conflict(`The replay ${encodeId('rpl', running.id)} is not done yet.`)
    await requireRoom(app, actor, items.length, now)
    return commitOrAgain(app, {
      guard,
      effects: [
        insertReplay(app, row, items),
        auditEntry(app, actor, 'webhook.replay', replay.id),
        storeResponse(app, actor, replay, { made: [replay.id] }),
      ],
    })
  })
  if (items.length > 0) app.bell.ring([wakeup('replay', { orgId: row.orgId, id: row.id }, now)])
  return replay
}

/** Throws `rate_limit_error` if the replays of a day match too much. */
async function requireRoom({ sql }: App, { orgId }: Actor, matched: number, now: Date): Promise<void> {
  const [day] = await replayedSince(sql, orgId, new Date(now.getTime() - dayMs))
  if (!day?.oldest || day.replayed + matched <= maxReplayedADay) return
  throw rateLimited(Math.max(1, Math.ceil((day.oldest.getTime() + dayMs - now.getTime()) / 1000)))
}

function windowOf({ from, to = new Date(8.64e15) }: ReplayBody, now: Date): { from: Date; to: Date } {
  const end = to < now ? to : now
  if (from > end) throw invalid('from: must be before `to`, and in the past', 'from')
  if (end.getTime() - from.getTime() > maxWindowDays * dayMs) {
    throw badRequest(`The window is longer than ${maxWindowDays} days.`, 'from')
  }
  return { from, to: end }
}

export async function getReplay(app: App, actor: Actor, webhookId: string, id: string) {
  const { id: webhook } = await requireWebhook(app, actor, webhookId)
  const uuid = decodeId('rpl', id)
  const [row] = uuid ? await replayById(app.sql, actor.orgId, webhook, uuid) : []
  if (!row) throw notFound('replay', null, id)
  const { matched, progress, isDone, createdAt } = row
  const begun: Status = progress === 0 ? 'pending' : 'running'
  const status: Status = isDone ? 'done' : begun
  return { id: encodeId('rpl', row.id), matched, status, progress, created_at: createdAt.toISOString() }
}
