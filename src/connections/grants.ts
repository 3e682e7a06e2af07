// Grants: which agents may see when a human is busy. Made by the human alone, through a console session.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { step } from '../commit/step.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { atRevision } from '../organizations/caps.ts'
import { recorded } from '../recording/recorded.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { listPage, type Page } from '../shapes/lists.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { decodeCalendars } from './connections.ts'
import { agentsAmong, type GrantRow, grantById, grantsPage, grantTotal } from './grantQueries.ts'
import type { Audience, CreateGrantBody, UpdateGrantBody } from './grantSchema.ts'
import { grantAgents, grantCalendars, insertGrant, makeDue, removeGrantGuard, updateGrantGuard } from './grantWrites.ts'
import { isOwn } from './owner.ts'
import { presentGrant } from './presentGrant.ts'
import { calendarsById } from './queries.ts'

export async function createGrant(app: App, actor: Actor, body: CreateGrantBody) {
  const { orgId } = actor
  const now = app.clock.now()
  const id = newId()
  const { row, connections } = await atRevision(app, actor, async (guard) => {
    const granted = await requireGrantable(app, actor, body.external_calendar_ids)
    const created: GrantRow = {
      orgId,
      id,
      audience: body.audience,
      audienceCutoffAt: cutoffOf(body.audience, now),
      active: true,
      revision: 0,
      createdAt: now,
      calendarIds: granted.ids,
      agentIds: await requireAudience(app, actor, body.audience, body.agent_ids),
    }
    return commitOrAgain(
      app,
      {
        guard,
        effects: [
          insertGrant(app.sql, created),
          ...grantCalendars(app.sql, created),
          ...grantAgents(app.sql, created),
          makeDue(app.sql, orgId, created.calendarIds, now),
          ...recorded(app, actor, {
            action: 'org.update',
            resource: encodeId('avg', id),
            response: presentGrant(created),
            created: [encodeId('avg', id)],
          }),
        ],
      },
      { row: created, connections: granted.connections },
    )
  })
  ring(app, orgId, connections)
  return presentGrant(row)
}

const ring = (app: App, orgId: Uuid, connections: readonly Uuid[]) =>
  app.bell.ring(connections.map((id) => wakeup('read', { orgId, id }, app.clock.now())))

export const getGrant = async (app: App, actor: Actor, id: string) => presentGrant(await requireGrant(app, actor, id))

export async function listGrants(app: App, actor: Actor, page: Page) {
  const [rows, [count]] = await Promise.all([grantsPage(app.sql, actor, page), grantTotal(app.sql, actor)])
  return listPage(rows.map(presentGrant), count?.total ?? 0, page)
}

export async function updateGrant(app: App, actor: Actor, id: string, body: UpdateGrantBody) {
  const now = app.clock.now()
  const { row, connections } = await atRevision(app, actor, async (organization) => {
    const before = await requireGrant(app, actor, id)
    const granted = body.external_calendar_ids && (await requireGrantable(app, actor, body.external_calendar_ids))
    const updated: GrantRow = {
      ...before,
      ...(await audienceAfter(app, actor, before, body, now)),
      active: body.active ?? before.active,
      calendarIds: granted?.ids ?? before.calendarIds,
    }
    const lockedOrganization = step('organization', organization)
    return commitOrAgain(
      app,
      {
        steps: [lockedOrganization],
        guard: updateGrantGuard(app.sql, updated, lockedOrganization),
        effects: [
          ...grantCalendars(app.sql, updated),
          ...grantAgents(app.sql, updated),
          granted && makeDue(app.sql, actor.orgId, updated.calendarIds, now),
          ...recorded(app, actor, {
            action: 'org.update',
            resource: encodeId('avg', updated.id),
            response: presentGrant(updated),
          }),
        ],
      },
      { row: updated, connections: granted?.connections ?? [] },
    )
  })
  ring(app, actor.orgId, connections)
  return presentGrant(row)
}

/** A new audience sets the cutoff anew; a list of agents alone replaces that of selected agents. */
async function audienceAfter(app: App, actor: Actor, before: GrantRow, body: UpdateGrantBody, now: Date) {
  if (body.audience === undefined && body.agent_ids === undefined) return {}
  const audience = body.audience ?? before.audience
  const isKept = audience === 'selected_agents' && before.audience === audience && body.agent_ids === undefined
  return {
    audience,
    audienceCutoffAt: body.audience === undefined ? before.audienceCutoffAt : cutoffOf(audience, now),
    agentIds: isKept ? before.agentIds : await requireAudience(app, actor, audience, body.agent_ids),
  }
}

export async function removeGrant(app: App, actor: Actor, id: string): Promise<void> {
  const row = await requireGrant(app, actor, id)
  const { matched } = await commit(app, {
    guard: removeGrantGuard(app.sql, row.orgId, row.id),
    effects: recorded(app, actor, { action: 'org.update', resource: encodeId('avg', row.id), response: undefined }),
  })
  if (!matched) throw notFound('grant')
}

async function requireGrant(app: App, actor: Actor, id: string): Promise<GrantRow> {
  const uuid = decodeId('avg', id)
  const [row] = uuid ? await grantById(app.sql, actor, uuid) : []
  if (!row) throw notFound('grant', null, id)
  return row
}

const cutoffOf = (audience: Audience, now: Date): Date | null => (audience === 'all_current_agents' ? now : null)

/** Calendars of the member who asks that are selected and can be read, and their connections. */
async function requireGrantable({ sql }: App, actor: Actor, sent: readonly string[]) {
  const param = 'external_calendar_ids'
  const ids = decodeCalendars(sent, param)
  const rows = (await calendarsById(sql, actor.orgId, ids)).filter((row) => isOwn(actor, row))
  if (rows.length < ids.length) throw notFound('external calendar', param)
  if (rows.some(({ isSelected, isReadable }) => !isSelected || !isReadable)) {
    throw invalid(`${param}: every calendar must be selected in its connection and readable.`, param)
  }
  const closed = rows.find(({ connectionStatus }) => connectionStatus !== 'active' && connectionStatus !== 'paused')
  if (closed) throw conflict(`The connection of a calendar is ${closed.connectionStatus}. Reauthorize it first.`)
  return { ids, connections: [...new Set(rows.map(({ connectionId }) => connectionId))] }
}

/** The agents that are named: some for `selected_agents`, none for another audience. */
async function requireAudience(
  { sql }: App,
  { orgId }: Actor,
  audience: Audience,
  sent: readonly string[] | undefined,
) {
  const param = 'agent_ids'
  if (audience !== 'selected_agents') {
    if (sent !== undefined) throw invalid(`${param}: only selected_agents are named.`, param)
    return []
  }
  if (sent === undefined || sent.length === 0) throw invalid(`${param}: name at least one agent.`, param)
  const decoded = sent.map((id) => decodeId('agt', id))
  if (decoded.includes(undefined))
    throw notFound(
      'agent',
      param,
      sent.find((id) => !decodeId('agt', id)),
    )
  const ids = [...new Set(decoded as Uuid[])]
  if ((await agentsAmong(sql, orgId, ids)).length < ids.length) throw notFound('agent', param)
  return ids
}
