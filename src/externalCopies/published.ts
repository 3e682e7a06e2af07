// Queries of publications for other nouns.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { copiesByUid, copiesInDoubt, destinationOf, existingDestinations, publicationOf } from './queries.ts'

/** The state of an event's copy; undefined if its calendar is published nowhere. */
export async function publishedAs({ sql }: App, orgId: Uuid, destinationId: Uuid | null, eventId: Uuid | undefined) {
  if (destinationId === null) return undefined
  const [row] = await publicationOf(sql, orgId, destinationId, eventId)
  return row && { ...row, copy: row.copy ?? ('none' as const) }
}

/** The destinations of a connection that have not ended. */
export const destinationsThrough = async (
  { sql }: Pick<App, 'sql'>,
  orgId: Uuid,
  connectionId: Uuid,
): Promise<Uuid[]> => (await existingDestinations(sql, orgId, connectionId)).map(({ id }) => id)

/** The destination of a calendar. */
export const destinationRowOf = async ({ sql }: App, orgId: Uuid, calendarId: Uuid) =>
  (await destinationOf(sql, orgId, calendarId))[0]

/** The digests of UIDs, in hexadecimal, among `digests` that copies have. */
export const copiesAmong = async ({ sql }: App, orgId: Uuid, digests: readonly string[]): Promise<string[]> =>
  (await copiesByUid(sql, orgId, digests)).map(({ digest }) => digest)

/** False while a copy may exist whose UID is not known: its write began, and its end was not seen. */
export const areCopiesSettled = async ({ sql }: App, orgId: Uuid): Promise<boolean> =>
  (await copiesInDoubt(sql, orgId)).length === 0
