// A link whose time is up: it is told, and a connection that it made and nobody finished is removed.
import type { App } from '../app.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import type { Uuid } from '../shapes/ids.ts'
import { sourceOfRows } from '../sweeps/source.ts'
import { emit } from '../webhooks/emit.ts'
import { dueLinks, linkById } from './linkQueries.ts'
import { expireLinkGuard } from './linkWrites.ts'
import { endOfLink } from './told.ts'
import { removeMadeBy } from './writes.ts'

/** Does nothing to one that is not due, or has ended. */
export async function expireLink(app: App, { orgId, id }: { orgId: Uuid; id: Uuid }): Promise<void> {
  const now = app.clock.now()
  const [link] = await linkById(app.sql, orgId, id)
  if (!link || link.endedAt !== null || link.expiresAt > now) return
  await commit(app, {
    guard: expireLinkGuard(app.sql, link, now),
    effects: [
      ...removeMadeBy(app.sql, orgId, app.sql`select ${id}::uuid`, now),
      ...emit(app, byItself(orgId, 'timer'), await endOfLink(app, link, 'expired')),
    ],
  })
}

export const linksDue = sourceOfRows({
  name: 'connection_links',
  job: 'expire',
  earliest: (sql) => sql`select min(expires_at) from connection_links where ended_at is null`,
  max: 1_000,
  find: ({ sql }, ...of) => dueLinks(sql, ...of),
})
