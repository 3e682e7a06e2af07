// The human's part of a link: beginning, declining, and the choice that completes it.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries, auditEntry } from '../audit/record.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { guard, step } from '../commit/step.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { destinationRowOf } from '../externalCopies/published.ts'
import { atRevision } from '../organizations/caps.ts'
import { sha256 } from '../sealing/sealer.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { emit } from '../webhooks/emit.ts'
import { requireReadable } from './connections.ts'
import { consentEffect } from './consent.ts'
import { choose, refuseUnpublishable, requireTarget } from './destinations.ts'
import { grantAgents, grantCalendars, insertGrant } from './grantWrites.ts'
import { grantedByLink, type LinkRow, linkById, linkByToken, organizationBehind } from './linkQueries.ts'
import type { CompleteLinkBody } from './linkSchema.ts'
import { completeLinkGuard, endLinkGuard } from './linkWrites.ts'
import { isOwn } from './owner.ts'
import { presentLink } from './presentLink.ts'
import { type ConnectionRow, calendarsOf, connectionById } from './queries.ts'
import { linkStatusAt, maxSelected } from './rules.ts'
import { isOpen } from './setupPage.ts'
import { endOfLink, linkEnded } from './told.ts'
import { changeConnectionGuard, removeMadeBy, select } from './writes.ts'

const tokenPattern = /^[\w-]{43}$/

const linkBehind = async ({ sql }: App, token: string): Promise<LinkRow | undefined> =>
  tokenPattern.test(token) ? (await linkByToken(sql, sha256(token)))[0] : undefined

/** A pending link by the secret in its address. A missing one gives no reason. */
export async function requireOpenLink(app: App, token: string): Promise<LinkRow> {
  const row = await linkBehind(app, token)
  if (!row || !isOpen(row, app.clock.now())) throw notFound('connection link')
  return row
}

/** The organization whose human completed the link behind an address; undefined for any other address. */
export async function completedFor(app: App, token: string): Promise<Uuid | undefined> {
  const row = await linkBehind(app, token)
  return row?.status === 'completed' ? row.orgId : undefined
}

/** The organization of a link, whoever asks; undefined if there is no such link. */
export async function organizationOfLink({ sql }: App, id: string): Promise<string | undefined> {
  const uuid = decodeId('csl', id)
  const [row] = uuid ? await organizationBehind(sql, uuid) : []
  return row && encodeId('org', row.orgId)
}

/** A link of the human's organization that is pending or completed, and the connection that they made for it. */
export async function requireHumanLink(app: App, actor: Actor, id: string) {
  const { orgId } = actor
  const uuid = decodeId('csl', id)
  const [row] = uuid ? await linkById(app.sql, orgId, uuid) : []
  const status = row && linkStatusAt(row, app.clock.now())
  if (!row || (!isOpen(row, app.clock.now()) && status !== 'completed')) throw notFound('connection link', null, id)
  const [connection] = row.connectionId ? await connectionById(app.sql, orgId, row.connectionId) : []
  if (connection && !isOwn(actor, connection)) throw notFound('connection link', null, id)
  const calendars = connection ? await calendarsOf(app.sql, orgId, connection.id) : []
  return { row, isCompleted: status === 'completed', connection, calendars }
}

/** Disconnects the connection that was made for it. */
export async function declineLink(app: App, actor: Actor, link: LinkRow): Promise<void> {
  const now = app.clock.now()
  await commit(app, {
    guard: endLinkGuard(app.sql, link, 'declined', now),
    effects: [
      ...removeMadeBy(app.sql, link.orgId, app.sql`select id from ${guard}`, now),
      ...emit(app, byActor(actor), await endOfLink(app, link, 'declined')),
      auditEntry(app, actor, 'calendar.update', encodeId('cal', link.calendarId)),
    ],
  })
}

/** The selection, the grant to the calendar's agent and the end of the link are one statement. */
export async function completeLink(app: App, actor: Actor, id: string, body: CompleteLinkBody) {
  const now = app.clock.now()
  const { link, connection, destinations } = await atRevision(app, actor, async (organization) => {
    const { row: link, isCompleted, connection, calendars } = await requireHumanLink(app, actor, id)
    if (isCompleted) throw conflict('This link is completed. Change the connection itself.')
    if (!connection) throw conflict('Nothing is connected yet. Choose a provider first.')
    const chosen = await requireChoice(app, link, connection, body)
    // A decommissioned agent is granted nothing.
    const calendar = await requireLiveCalendar(app, actor, encodeId('cal', link.calendarId))
    const destination = await destinationOfChoice(app, actor, { link, calendar }, connection, body)
    const selected = calendars.flatMap((one) => (one.isSelected ? [one.id] : []))
    const added = chosen.filter((one) => !selected.includes(one))
    if (selected.length + added.length > maxSelected) {
      throw invalid(
        `external_calendar_ids: at most ${maxSelected} calendars of a connection are selected.`,
        'external_calendar_ids',
      )
    }
    const lockedOrganization = step('organization', organization)
    const published =
      destination &&
      (await choose(app, destination.calendar, destination.target, destination.policy, lockedOrganization, now))
    const done = { link, connection, destinations: published ? [published.id, ...published.ended] : [] }
    const opened = published && step('published_calendar', published.guard)
    const kept = step(
      'kept_connection',
      changeConnectionGuard(
        app.sql,
        connection,
        opened ?? lockedOrganization,
        { isDue: added.length > 0, isKept: true },
        now,
      ),
    )
    return commitOrAgain(
      app,
      {
        steps: [lockedOrganization, ...(opened ? [opened] : []), kept],
        guard: completeLinkGuard(app.sql, link, connection.id, kept, now),
        effects: [
          ...(published?.effects ?? []),
          select(app.sql, link.orgId, added),
          ...grantEffects(app, link, chosen, now),
          consentEffect(app, actor, connection.id, link.capabilities, chosen),
          ...emit(app, byActor(actor), [linkEnded(link, 'completed')]),
          auditEntries(app, [
            { actor, action: 'org.update', resource: encodeId('con', connection.id) },
            { actor, action: 'calendar.update', resource: encodeId('cal', link.calendarId) },
          ]),
          storeResponse(app, actor, presentCompleted(link, connection, now)),
        ],
      },
      done,
    )
  })
  app.bell.ring(destinations.map((id) => wakeup('publish', { orgId: link.orgId, id }, now)))
  if (connection.status === 'active') app.bell.ring([wakeup('read', { orgId: link.orgId, id: connection.id }, now)])
  return presentCompleted(link, connection, now)
}

/** Whether a completed link has done this choice, and it still holds: a second press of the button changes nothing. */
export async function isChosen(app: App, { orgId }: Actor, link: LinkRow, choice: CompleteLinkBody): Promise<boolean> {
  const { external_calendar_ids: sent = [], destination_external_calendar_id: target } = choice
  const [granted] = await grantedByLink(app.sql, orgId, link.id)
  const destination =
    link.publicationPolicy === 'none' ? undefined : await destinationRowOf(app, orgId, link.calendarId)
  const chosen = new Set(sent.map((one) => decodeId('xcl', one)))
  return (
    granted?.calendarIds.length === chosen.size &&
    granted.calendarIds.every((one) => chosen.has(one)) &&
    destination?.externalCalendarId === (target && decodeId('xcl', target))
  )
}

const presentCompleted = (link: LinkRow, { id }: ConnectionRow, now: Date) =>
  presentLink({ ...link, status: 'completed', connectionId: id }, now)

function grantEffects(app: App, link: LinkRow, calendarIds: Uuid[], now: Date) {
  if (calendarIds.length === 0) return []
  const row = {
    orgId: link.orgId,
    id: newId(),
    audience: 'selected_agents' as const,
    audienceCutoffAt: null,
    active: true,
    revision: 0,
    createdAt: now,
    calendarIds,
    agentIds: [link.agentId!],
  }
  return [insertGrant(app.sql, row), ...grantCalendars(app.sql, row), ...grantAgents(app.sql, row)]
}

/** Where the events of the link's calendar are published to, if that was asked for. */
async function destinationOfChoice(
  app: App,
  actor: Actor,
  {
    link: { publicationPolicy },
    calendar,
  }: { link: LinkRow; calendar: Awaited<ReturnType<typeof requireLiveCalendar>> },
  connection: ConnectionRow,
  { destination_external_calendar_id: sent }: CompleteLinkBody,
) {
  if (publicationPolicy === 'none' || sent === undefined) return undefined
  const param = 'destination_external_calendar_id'
  const target = await requireTarget(app, actor, sent, param)
  if (target.connectionId !== connection.id) throw invalid(`${param}: names a calendar of another connection.`, param)
  refuseUnpublishable(target)
  return { calendar, target, policy: publicationPolicy }
}

/** Calendars where availability was asked for, and only there. */
async function requireChoice(
  app: App,
  link: LinkRow,
  connection: ConnectionRow,
  body: CompleteLinkBody,
): Promise<Uuid[]> {
  const param = 'external_calendar_ids'
  const { external_calendar_ids: sent, destination_external_calendar_id: destination } = body
  const asked = link.capabilities.includes('availability')
  if (asked !== (sent !== undefined && sent.length > 0)) {
    throw invalid(
      asked ? `${param}: choose at least one calendar.` : `${param}: availability was not requested.`,
      param,
    )
  }
  const target = 'destination_external_calendar_id'
  if ((link.publicationPolicy !== 'none') !== (destination !== undefined)) {
    throw invalid(
      destination === undefined ? `${target}: choose one calendar.` : `${target}: was not requested.`,
      target,
    )
  }
  return requireReadable(app, connection, sent ?? [], param)
}
