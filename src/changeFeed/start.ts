// Where a reader begins: at the cursor that it sends.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { keptSince } from '../changeLog/rules.ts'
import { invalid } from '../errors.ts'
import { openCursor, type Position } from './cursor.ts'
import { goneNow } from './gone.ts'
import { currentPosition, oldestPosition, type Page, type PageOptions, readPage } from './page.ts'
import { afterPromotion } from './promotion.ts'
import { isTooOld } from './rules.ts'

type Sent = Position | 'oldest' | undefined

/** Throws 400 for a cursor that this service did not make for the organization. `param`: where it was sent. */
export function sentPosition(app: App, { orgId }: Actor, cursor: string | undefined, param: string): Sent {
  if (cursor === undefined || cursor === 'oldest') return cursor
  const position = openCursor(app, orgId, cursor)
  if (!position) throw invalid(`${param}: send the cursor of an earlier answer unchanged, or oldest`, param)
  return position
}

/** Throws `cursor_gone` for a position whose changes may no longer be kept. */
export async function startOf(app: App, { orgId, limits }: Actor, sent: Sent): Promise<Position> {
  const now = app.clock.now()
  if (sent === undefined) return currentPosition(app, orgId)
  if (sent === 'oldest') return oldestPosition(app, orgId, keptSince(limits, now))
  if (isTooOld(sent, limits, now)) throw await goneNow(app, orgId, 'too_old')
  return sent
}

/** The next page. Throws `cursor_gone` if the database is no longer the one that the position is of, and does not go on with it. */
export async function readOn(app: App, { orgId }: Actor, position: Position, options: PageOptions): Promise<Page> {
  const page = await readPage(app, orgId, position, options)
  if (page !== 'restored') return page
  const promoted = await afterPromotion(app, position)
  const next = promoted ? await readPage(app, orgId, promoted, options) : 'restored'
  if (next === 'restored') throw await goneNow(app, orgId, 'restored')
  return next
}
