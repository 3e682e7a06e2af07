// Claiming for several lanes at once, so that a row or a lane that Postgres refuses holds up none of the others.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { isRolledBack } from '../stores/failures.ts'
import { type Ask, type ClaimedRow, claimDeliveries, maxInFlight } from './attempts.ts'

/** The claim of one lane. `hasMore`: more may be due. `failed`: nothing was claimed, because Postgres did not answer. */
type Claimed = { rows: ClaimedRow[]; hasMore: boolean; failed?: true }

/** By subscription; there is an entry for each of `asks`. */
export async function claimTogether(app: App, owner: Uuid, asks: readonly Ask[]): Promise<Map<Uuid, Claimed>> {
  try {
    const rows = await claim(app, owner, asks)
    const byLane = Map.groupBy(rows, ({ subscriptionId }) => subscriptionId)
    return new Map(
      asks.map(({ subscriptionId, room }) => {
        const found = byLane.get(subscriptionId) ?? []
        return [subscriptionId, { rows: found, hasMore: found.length === room }]
      }),
    )
  } catch (error) {
    if (!isRolledBack(error)) {
      app.log.warn({ error: (error as Error).message }, 'deliveries could not be claimed, they stay due')
      return new Map(asks.map(({ subscriptionId }) => [subscriptionId, { rows: [], hasMore: true, failed: true }]))
    }
    const [only, ...others] = asks
    if (others.length === 0) return new Map([[only!.subscriptionId, await claimOneByOne(app, owner, only!)]])
    const middle = asks.length >> 1
    return new Map([
      ...(await claimTogether(app, owner, asks.slice(0, middle))),
      ...(await claimTogether(app, owner, asks.slice(middle))),
    ])
  }
}

const claim = (app: App, owner: Uuid, asks: readonly Ask[]): Promise<ClaimedRow[]> =>
  repeatOnDeadlock(() => claimDeliveries(app.sql, owner, asks))

/** Passes over the rows that are refused, as many as the statement lets it skip. */
async function claimOneByOne(app: App, owner: Uuid, ask: Ask): Promise<Claimed> {
  const rows: ClaimedRow[] = []
  let skip = 0
  while (rows.length < ask.room && skip <= maxInFlight) {
    try {
      const found = await claim(app, owner, [{ ...ask, room: 1, skip }])
      if (found.length === 0) break
      rows.push(...found)
    } catch (error) {
      if (!isRolledBack(error)) break
      app.log.error({ err: error }, 'a delivery could not be claimed, it stays due')
      skip++
    }
  }
  return { rows, hasMore: rows.length === ask.room }
}
