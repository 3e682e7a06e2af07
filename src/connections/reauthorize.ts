// Authorizing an account again: by its password, or at its provider.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { reauthorizeCaldav } from './connectCaldav.ts'
import { requireConnection } from './connections.ts'
import type { ReauthorizeBody } from './schema.ts'
import { reauthorizeOauth } from './startOauth.ts'

export async function reauthorizeConnection(app: App, actor: Actor, id: string, body: ReauthorizeBody) {
  const row = await requireConnection(app, actor, id)
  return row.provider === 'caldav' ? reauthorizeCaldav(app, actor, row, body) : reauthorizeOauth(app, actor, row, body)
}
