// The events of a feed that are copies of ours. Providers that name events themselves returned the names when the copies were
// written; only digests of them are kept.
import type { App } from '../app.ts'
import { knownDigests } from '../connections/digests.ts'
import { areCopiesSettled, copiesAmong } from '../externalCopies/published.ts'
import type { Uuid } from '../shapes/ids.ts'

/** Names to look up at once. */
const blockSize = 2_000

/**
 * The UIDs among those of `events` that copies of the organization have. `isSettled` is false if a copy may exist whose name is
 * not known yet.
 */
export async function publishedUids(
  app: App,
  orgId: Uuid,
  events: readonly { uid: string }[],
): Promise<{ copies: ReadonlySet<string>; isSettled: boolean }> {
  const copies = new Set<string>()
  const digests = await knownDigests(app, orgId)
  if (!digests) return { copies, isSettled: true }
  // Asked first: a copy that is named in the meantime is found below.
  const isSettled = await areCopiesSettled(app, orgId)
  const uids = [...new Set(events.map(({ uid }) => uid))]
  for (let first = 0; first < uids.length; first += blockSize) {
    const byDigest = new Map(uids.slice(first, first + blockSize).map((uid) => [digests('uid', uid), uid]))
    for (const digest of await copiesAmong(app, orgId, [...byDigest.keys()])) copies.add(byDigest.get(digest)!)
  }
  return { copies, isSettled }
}
