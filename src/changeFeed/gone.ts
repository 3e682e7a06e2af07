// A cursor that leads nowhere any more, and how its reader goes on.
import type { App } from '../app.ts'
import { cursorGone } from '../errors.ts'
import type { Uuid } from '../shapes/ids.ts'
import { sealCursor } from './cursor.ts'
import { currentPosition } from './page.ts'

const lists = ['/v1/agents', '/v1/calendars?include=all', '/v1/calendars/{id}/events']

/** With a cursor of now: changes during the listing come after it. */
export async function goneNow(app: App, orgId: Uuid, reason: 'too_old' | 'restored') {
  const cursor = sealCursor(app, orgId, await currentPosition(app, orgId))
  return cursorGone(reason, { cursor, lists })
}
