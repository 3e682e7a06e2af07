// Upkeep of links, and of authorizations that no human finished: removes those that ended long ago.
import type { App } from '../app.ts'
import { purgeLinks } from './linkWrites.ts'
import { purgeStates } from './oauthStates.ts'
import { linkKeptMs } from './rules.ts'

export async function tidyLinks({ sql, clock }: App): Promise<void> {
  const now = clock.now()
  await purgeStates(sql, now)
  await purgeLinks(sql, new Date(now.getTime() - linkKeptMs))
}
