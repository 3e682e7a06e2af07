// Upkeep of links, and of authorizations that no human finished: removes a connection whose link expired unfinished, and links
// that ended long ago.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { unfinishedLinks } from './linkQueries.ts'
import { expireLinkGuard, purgeLinks } from './linkWrites.ts'
import { purgeStates } from './oauthStates.ts'
import { linkKeptMs } from './rules.ts'
import { removeMadeBy } from './writes.ts'

const maxAtOnce = 500

export async function tidyLinks(app: App): Promise<void> {
  const now = app.clock.now()
  for (const link of await unfinishedLinks(app.sql, now, maxAtOnce)) {
    await commit(app, {
      guard: expireLinkGuard(app.sql, link, now),
      effects: removeMadeBy(app.sql, link.orgId, app.sql`select ${link.id}::uuid`, now),
    })
  }
  await purgeStates(app.sql, now)
  await purgeLinks(app.sql, new Date(now.getTime() - linkKeptMs))
}
