// The calendars that a provider lists, as rows: those that are known keep their identifiers.
import type { App } from '../app.ts'
import type { RemoteCalendar } from '../providers/provider.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { ListedCalendar } from './calendarWrites.ts'
import type { Digests } from './digests.ts'
import { maxKeptCalendars } from './rules.ts'
import { nameContext, remoteContext } from './sealed.ts'

/** At most 250: the primary one first, then by name. */
export function listedRows(
  { sealer }: Pick<App, 'sealer'>,
  digests: Digests,
  calendars: readonly RemoteCalendar[],
  known: readonly { id: Uuid; remoteDigest: Buffer }[],
): ListedCalendar[] {
  const ids = new Map(known.map(({ id, remoteDigest }) => [remoteDigest.toString('hex'), id]))
  const kept = calendars
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || a.name.localeCompare(b.name))
    .slice(0, maxKeptCalendars)
  const byDigest = new Map(kept.map((calendar) => [digests('calendar', calendar.remote), calendar]))
  return [...byDigest].map(([digest, { remote, name, ...calendar }]) => {
    const id = ids.get(digest) ?? newId()
    return {
      ...calendar,
      id,
      remoteDigest: Buffer.from(digest, 'hex'),
      remoteSealed: sealer.seal(remoteContext(id), remote),
      nameSealed: sealer.seal(nameContext(id), name),
    }
  })
}
