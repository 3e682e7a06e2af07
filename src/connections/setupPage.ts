// A link as its human uses it: through the address with its secret, or by its identifier once they are signed in.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { zoneOfCalendar } from '../calendars/calendars.ts'
import { invalid, notFound } from '../errors.ts'
import type { Capability } from '../providers/rules.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { type LinkRow, linkById } from './linkQueries.ts'
import { areSame, isPending, linkStatusAt } from './rules.ts'

/** `timezone` is that of the calendar that the link is for. */
export type SetupLink = { row: LinkRow; timezone: string | undefined }

/** A pending link of the organization, for the same capabilities if these are named. */
export async function setupLinkOf(
  app: App,
  actor: Actor,
  id: string,
  { capabilities }: { capabilities?: readonly Capability[] | undefined },
): Promise<SetupLink> {
  const uuid = decodeId('csl', id)
  const [row] = uuid ? await linkById(app.sql, actor.orgId, uuid) : []
  if (!row || !isOpen(row, app.clock.now())) throw notFound('connection link', 'setup_link_id', id)
  if (capabilities && !areSame(capabilities, row.capabilities)) {
    throw invalid('capabilities: differ from those of the link.', 'capabilities')
  }
  return { row, timezone: await zoneOfCalendar(app, actor, encodeId('cal', row.calendarId)) }
}

export const isOpen = (row: LinkRow, now: Date): boolean =>
  isPending(linkStatusAt(row, now)) && row.calendarDeletedAt === null
