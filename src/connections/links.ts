// Links: how an agent asks a human to connect a calendar. The secret of a link is in the address that the human opens; here
// only its digest is kept. A calendar has one working link.
import type { Actor } from '../actors/actor.ts'
import { requireListedCalendar } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { commit } from '../commit/commit.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { step } from '../commit/step.ts'
import { conflict, forbidden, invalid, notFound } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { ofAll, refuseExcess, throttle } from '../quotas/throttle.ts'
import { recorded } from '../recording/recorded.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { hourMs } from '../shapes/durations.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import { type LinkRow, linkById, pendingLink } from './linkQueries.ts'
import type { CreateLinkBody } from './linkSchema.ts'
import { endLinkGuard, insertLink } from './linkWrites.ts'
import { presentCreatedLink, presentLink } from './presentLink.ts'
import { activeConnections } from './queries.ts'
import { areSame, isPending, linkKeptMs, linkMs, linkStatusAt } from './rules.ts'
import { endOfLink } from './told.ts'
import { removeMadeBy } from './writes.ts'

/** New links alone count: a pending one that is asked for again is no new one. A key can be made anew, so the organization's count, too. */
const perKey = { name: 'connection_links', max: 20, windowMs: hourMs }

export async function createLink(app: App, actor: Actor, calendarId: string, body: CreateLinkBody) {
  const calendar = await requireLiveCalendar(app, actor, calendarId)
  refuseImpossible(body, calendar.agentId !== null)
  const [known] = await pendingLink(app.sql, actor.orgId, calendar.id, app.clock.now())
  if (known && asksTheSame(known, body)) return reused(app, actor, known)
  const token = randomToken()
  const now = app.clock.now()
  const row: LinkRow = {
    orgId: actor.orgId,
    id: newId(),
    calendarId: calendar.id,
    capabilities: body.capabilities,
    publicationPolicy: body.publication_policy,
    status: 'awaiting_human',
    connectionId: null,
    expiresAt: new Date(now.getTime() + linkMs),
    endedAt: null,
    createdAt: now,
    agentId: calendar.agentId,
    calendarDeletedAt: null,
  }
  const setupUrl = `${app.config.baseUrl}/connect/${token}`
  const created = presentCreatedLink(row, now, setupUrl)
  let isCounted = false
  const winner = await withinCap(
    app,
    actor,
    'calendar_connections',
    activeConnections(app.sql, actor.orgId),
    async (guard) => {
      await requireLiveCalendar(app, actor, calendarId)
      const [pending] = await pendingLink(app.sql, actor.orgId, calendar.id, now)
      if (pending && asksTheSame(pending, body)) return pending
      const limit = actor.request.dryRun ? refuseExcess : throttle
      if (!isCounted) {
        await limit(app, perKey, actor.keyPrefix ?? actor.sessionId ?? actor.orgId)
        await limit(app, ofAll(perKey, actor.limits.agents), actor.orgId)
      }
      isCounted = true
      const organization = step('organization', guard)
      return commitOrAgain(app, {
        // One working link per calendar: a new one ends the one before it.
        ...(pending
          ? { steps: [organization], guard: endLinkGuard(app.sql, pending, 'cancelled', now, organization) }
          : { guard }),
        effects: [
          ...(pending ? removeMadeBy(app.sql, actor.orgId, app.sql`select ${pending.id}::uuid`, now) : []),
          insertLink(app.sql, row, sha256(token)),
          ...recorded(app, actor, {
            action: 'calendar.update',
            resource: encodeId('cal', calendar.id),
            ...(pending && { emits: await endOfLink(app, pending, 'cancelled') }),
            response: created,
            created: [created.id, setupUrl],
          }),
        ],
      })
    },
  )
  return winner ? reused(app, actor, winner) : created
}

function refuseImpossible({ capabilities, publication_policy }: CreateLinkBody, hasAgent: boolean): void {
  const publishes = capabilities.includes('publishing')
  if (publishes !== (publication_policy !== 'none')) {
    const message = publishes
      ? 'publication_policy: with publishing, say which events: confirmed or confirmed_tentative.'
      : 'publication_policy: only a link with the capability publishing has one.'
    throw invalid(message, 'publication_policy')
  }
  if (capabilities.includes('availability') && !hasAgent) {
    const message = 'capabilities: this calendar belongs to no agent, so availability cannot be granted.'
    throw invalid(message, 'capabilities')
  }
}

const asksTheSame = (row: LinkRow, body: CreateLinkBody): boolean =>
  areSame(row.capabilities, body.capabilities) && row.publicationPolicy === body.publication_policy

/** Its secret is stored nowhere here. */
async function reused(app: App, actor: Actor, row: LinkRow) {
  const answer = presentCreatedLink(row, app.clock.now(), null)
  await commitResponse(app, actor, answer)
  return answer
}

export const getLink = async (app: App, actor: Actor, id: string) =>
  presentLink(await requireLink(app, actor, id), app.clock.now())

/** Cancelling a link twice has the effect of cancelling it once. */
export async function cancelLink(app: App, actor: Actor, id: string): Promise<void> {
  const link = await requireLink(app, actor, id)
  const now = app.clock.now()
  const status = linkStatusAt(link, now)
  if (status === 'cancelled') return commitResponse(app, actor, undefined)
  if (!isPending(status)) throw conflict(`This link is ${status}; only a pending one can be cancelled.`)
  const { matched } = await commit(app, {
    guard: endLinkGuard(app.sql, link, 'cancelled', now),
    effects: [
      ...removeMadeBy(app.sql, actor.orgId, app.sql`select ${link.id}::uuid as id from guard`, now),
      ...recorded(app, actor, {
        action: 'calendar.update',
        resource: encodeId('cal', link.calendarId),
        emits: await endOfLink(app, link, 'cancelled'),
        response: undefined,
      }),
    ],
  })
  // Its human, or another caller, was faster: the current state decides.
  if (!matched) return cancelLink(app, actor, id)
}

/** 404 also for one that ended long ago; 403 for the key of another agent. */
async function requireLink(app: App, actor: Actor, id: string): Promise<LinkRow> {
  const uuid = decodeId('csl', id)
  const [row] = uuid ? await linkById(app.sql, actor.orgId, uuid) : []
  if (!row || isForgotten(row, app.clock.now())) throw notFound('connection link', null, id)
  if (actor.agentId && actor.agentId !== row.agentId) {
    throw forbidden("This key's agent does not own the calendar of this link.")
  }
  requireListedCalendar(actor, row.calendarId)
  return row
}

const isForgotten = ({ endedAt, expiresAt }: LinkRow, now: Date): boolean =>
  now.getTime() - (endedAt ?? expiresAt).getTime() > linkKeptMs
