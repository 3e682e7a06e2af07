// Connections as their human manages them: through a console session, never through a key.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { again, decide } from '../commit/decide.ts'
import { step } from '../commit/step.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { destinationsThrough } from '../externalCopies/published.ts'
import { resumePublications } from '../externalCopies/writes.ts'
import { atRevision } from '../organizations/caps.ts'
import type { Capability } from '../providers/rules.ts'
import { recorded } from '../recording/recorded.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'
import { listPage, type Page } from '../shapes/lists.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { isOwn, looksAfterOthers } from './owner.ts'
import { presentCalendars, presentConnection, presentConnectionOfOther, presentDetail } from './present.ts'
import {
  type ConnectionRow,
  calendarsById,
  calendarsOf,
  connectionById,
  connectionsPage,
  connectionTotal,
} from './queries.ts'
import { areSame, statusAfter } from './rules.ts'
import type { UpdateConnectionBody } from './schema.ts'
import { sourcesTold } from './told.ts'
import {
  changeConnectionGuard,
  changeStatusGuard,
  removeConnectionGuard,
  removeConnections,
  select,
  unselect,
} from './writes.ts'

export async function listConnections(app: App, actor: Actor, page: Page) {
  const ofMember = looksAfterOthers(actor) ? undefined : actor.member!.id
  const [rows, [count]] = await Promise.all([
    connectionsPage(app.sql, actor.orgId, ofMember, page),
    connectionTotal(app.sql, actor.orgId, ofMember),
  ])
  return listPage(
    rows.map((row) => (isOwn(actor, row) ? presentConnection(app, row) : presentConnectionOfOther(row))),
    count?.total ?? 0,
    page,
  )
}

export async function getConnection(app: App, actor: Actor, id: string) {
  const row = await requireConnection(app, actor, id)
  return presentDetail(app, row, await calendarsOf(app.sql, row.orgId, row.id))
}

/** A connection has at most 250 calendars, so they are ordered here: their names are sealed. */
export async function listExternalCalendars(app: App, actor: Actor, id: string, page: Page) {
  const row = await requireConnection(app, actor, id)
  const all = presentCalendars(app, row, await calendarsOf(app.sql, row.orgId, row.id))
  return listPage(all.slice(page.offset, page.offset + page.limit), all.length, page)
}

/** A connection of the member who asks. */
export async function requireConnection(app: App, actor: Actor, id: string): Promise<ConnectionRow> {
  const row = await findConnection(app, actor, id)
  if (!row || !isOwn(actor, row)) throw notFound('connection', null, id)
  return row
}

/** Also one of another member, to pause or to end it. */
async function requireEndable(app: App, actor: Actor, id: string): Promise<ConnectionRow> {
  const row = await findConnection(app, actor, id)
  if (!row || !(isOwn(actor, row) || looksAfterOthers(actor))) throw notFound('connection', null, id)
  return row
}

async function findConnection({ sql }: App, { orgId }: Actor, id: string): Promise<ConnectionRow | undefined> {
  const uuid = decodeId('con', id)
  return uuid && (await connectionById(sql, orgId, uuid))[0]
}

export async function updateConnection(app: App, actor: Actor, id: string, body: UpdateConnectionBody) {
  const now = app.clock.now()
  const {
    orgId,
    id: connectionId,
    status,
  } = await atRevision(app, actor, async (organization) => {
    const before = await requireConnection(app, actor, id)
    if (before.status === 'disconnected') throw disconnected()
    const capabilities = body.capabilities ?? before.capabilities
    const gaveUp = before.capabilities.includes('publishing') && !capabilities.includes('publishing')
    if (gaveUp && (await destinationsThrough(app, before.orgId, before.id)).length > 0) throw inUse()
    const missing = capabilities.find((name) => before.granted !== null && !before.granted.includes(name))
    if (missing) throw scopeMissing(missing)
    const change = await selectionChange(app, before, capabilities, body.selected_external_calendar_ids)
    const lockedOrganization = step('organization', organization)
    const answer = { id: encodeId('con', before.id), status: before.status }
    return commitOrAgain(
      app,
      {
        steps: [lockedOrganization],
        guard: changeConnectionGuard(
          app.sql,
          before,
          lockedOrganization,
          {
            capabilities: areSame(capabilities, before.capabilities) ? undefined : capabilities,
            isDue: change.added.length > 0,
          },
          now,
        ),
        effects: [
          ...unselect(app.sql, before.orgId, change.removed),
          select(app.sql, before.orgId, change.added),
          ...recorded(app, actor, { action: 'org.update', resource: answer.id, response: answer }),
        ],
      },
      before,
    )
  })
  if (status === 'active') app.bell.ring([wakeup('read', { orgId, id: connectionId }, now)])
  return { id: encodeId('con', connectionId), status }
}

/** The human deselects one calendar. Calendars that cannot be read any more are deselected too. */
export async function unselectCalendar(app: App, actor: Actor, id: string, calendarId: string | undefined) {
  const { orgId, id: connectionId } = await requireConnection(app, actor, id)
  const rows = (await calendarsOf(app.sql, orgId, connectionId)).filter((row) => row.isSelected && row.isReadable)
  const kept = rows.map((row) => encodeId('xcl', row.id)).filter((one) => one !== calendarId)
  // Twice is once.
  if (kept.length === rows.length) return
  await updateConnection(app, actor, id, { selected_external_calendar_ids: kept })
}

type SelectionChange = { added: Uuid[]; removed: Uuid[] }

/** `externalIds` are identifiers from outside; undefined leaves the selection, unless availability is given up. */
async function selectionChange(
  { sql }: App,
  { orgId, id }: ConnectionRow,
  capabilities: readonly Capability[],
  externalIds: readonly string[] | undefined,
): Promise<SelectionChange> {
  const reads = capabilities.includes('availability')
  if (externalIds === undefined && reads) return { added: [], removed: [] }
  if (externalIds !== undefined && externalIds.length > 0 && !reads) throw scopeMissing('availability')
  const param = 'selected_external_calendar_ids'
  const ids = await requireReadable({ sql }, { orgId, id }, externalIds ?? [], param)
  const selected = (await calendarsOf(sql, orgId, id)).flatMap((row) => (row.isSelected ? [row.id] : []))
  return {
    added: ids.filter((one) => !selected.includes(one)),
    removed: selected.filter((one) => !ids.includes(one)),
  }
}

/** Calendars of this connection that can be read. 404 for unknown ones, 400 for those of another connection. */
export async function requireReadable(
  { sql }: Pick<App, 'sql'>,
  { orgId, id }: Pick<ConnectionRow, 'orgId' | 'id'>,
  sent: readonly string[],
  param: string,
): Promise<Uuid[]> {
  const ids = decodeCalendars(sent, param)
  const rows = new Map((await calendarsById(sql, orgId, ids)).map((row) => [row.id, row]))
  if (ids.some((one) => !rows.has(one))) throw notFound('external calendar', param)
  for (const { connectionId, isReadable } of rows.values()) {
    if (connectionId !== id) throw invalid(`${param}: names a calendar of another connection.`, param)
    if (!isReadable) throw invalid(`${param}: names a calendar whose busy time cannot be read.`, param)
  }
  return ids
}

/** Each once. */
export function decodeCalendars(sent: readonly string[], param: string): Uuid[] {
  const ids = sent.map((one) => decodeId('xcl', one))
  if (ids.includes(undefined)) {
    throw notFound(
      'external calendar',
      param,
      sent.find((one) => !decodeId('xcl', one)),
    )
  }
  return [...new Set(ids as Uuid[])]
}

export const disconnected = () => conflict('This connection is disconnected for good. Connect the account again.')

const scopeMissing = (capability: Capability) =>
  conflict(`The account was not authorized for ${capability}. Reauthorize the connection with it.`, 'scope_missing')

const inUse = () => conflict('Events are published through this connection. Remove their destinations first.', 'in_use')

/** An account that may be asked again: its calendars are read, and what waited is published. */
export async function wakeAll(app: App, { orgId, id }: Pick<ConnectionRow, 'orgId' | 'id'>, now: Date): Promise<void> {
  const destinations = await destinationsThrough(app, orgId, id)
  app.bell.ring([
    wakeup('read', { orgId, id }, now),
    ...destinations.map((destination) => wakeup('publish', { orgId, id: destination }, now)),
  ])
}

export const pauseConnection = (app: App, actor: Actor, id: string) => change(app, actor, id, 'pause')
export const resumeConnection = (app: App, actor: Actor, id: string) => change(app, actor, id, 'resume')

/** Doing it twice has the effect of doing it once. */
const change = (app: App, actor: Actor, id: string, trigger: 'pause' | 'resume') =>
  decide(app, { noun: 'connection', key: id }, async () => {
    const row = await (trigger === 'pause' ? requireEndable : requireConnection)(app, actor, id)
    const status = statusAfter(row.status, trigger)
    if (!status) throw conflict(`A connection that is ${row.status} cannot be paused or resumed.`)
    const answer = { id: encodeId('con', row.id), status }
    if (status === row.status) {
      await commitResponse(app, actor, answer)
      return answer
    }
    const now = app.clock.now()
    const what = status === 'active' ? 'restored' : 'interrupted'
    const told = await sourcesTold(app, row.orgId, app.sql`select ${row.id}::uuid`, what)
    const { matched } = await commit(app, {
      guard: changeStatusGuard(app.sql, row, status, now),
      effects: [
        ...(status === 'active' ? resumePublications(app.sql, row.orgId, row.id) : []),
        ...recorded(app, actor, { action: 'org.update', resource: answer.id, emits: told, response: answer }),
      ],
    })
    if (!matched) return again
    if (status === 'active') await wakeAll(app, row, now)
    return answer
  })

/**
 * The connection is invisible at once, out of all grants, and its copies are deleted. The events published through it are
 * withdrawn afterwards.
 */
export async function removeConnection(app: App, actor: Actor, id: string, keepsCopies = false): Promise<void> {
  const ended = await atRevision(app, actor, async (organization) => {
    const row = await requireEndable(app, actor, id)
    const lockedOrganization = step('organization', organization)
    const destinations = await destinationsThrough(app, row.orgId, row.id)
    const resource = encodeId('con', row.id)
    const which = app.sql`select ${row.id}::uuid`
    const told = row.status === 'disconnected' ? [] : await sourcesTold(app, row.orgId, which, 'interrupted')
    return commitOrAgain(
      app,
      {
        steps: [lockedOrganization],
        guard: removeConnectionGuard(app.sql, row, lockedOrganization),
        effects: [
          ...removeConnections(app.sql, row.orgId, which, { now: app.clock.now(), keepsCopies }),
          ...recorded(app, actor, { action: 'org.update', resource, emits: told, response: undefined }),
        ],
      },
      destinations,
    )
  })
  app.bell.ring(ended.map((destination) => wakeup('publish', { orgId: actor.orgId, id: destination }, app.clock.now())))
}
