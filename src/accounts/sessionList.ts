// The sessions of an account, in whichever organization: listed, and ended one by one or all but one.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { rouseCallers } from '../commit/notifyReaders.ts'
import { notFound } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'
import { commitResponse, storeResponse } from '../storedResponses/storeResponse.ts'
import { sessionsOf } from './queries.ts'
import { endSessionsGuard } from './sessionWrites.ts'

/** Newest first. */
export async function listSessions({ sql }: App, { member, sessionId }: Actor) {
  const rows = await sessionsOf(sql, member!.accountId)
  const sessions = rows.map(({ id, createdAt, lastSeenAt, ip, userAgent }) => ({
    id: encodeId('ses', id),
    created_at: isoTime(createdAt),
    last_seen_at: isoTime(lastSeenAt ?? createdAt),
    ip,
    user_agent: userAgent,
    current: id === sessionId,
  }))
  return { sessions }
}

/** Ends one of the account's sessions, which may be the caller's own. */
export async function endSession(app: App, actor: Actor, sessionId: string): Promise<void> {
  const id = decodeId('ses', sessionId)
  if (!id || !(await end(app, actor, [id]))) throw notFound('session', null, sessionId)
}

export async function endOtherSessions(app: App, actor: Actor): Promise<void> {
  const rows = await sessionsOf(app.sql, actor.member!.accountId)
  const others = rows.filter(({ id }) => id !== actor.sessionId).map(({ id }) => id)
  if (others.length === 0 || !(await end(app, actor, others))) await commitResponse(app, actor, undefined)
}

async function end(app: App, actor: Actor, ids: readonly Uuid[]): Promise<boolean> {
  const { matched } = await commit(app, {
    guard: endSessionsGuard(app.sql, actor.member!.accountId, ids),
    effects: [
      auditEntries(
        app,
        ids.map((id) => ({ actor, action: 'session.revoke', resource: encodeId('ses', id) })),
      ),
      storeResponse(app, actor, undefined),
    ],
  })
  if (matched) rouseCallers(app, actor.orgId)
  return matched
}
