// Looks for new entries for the readers of an organization that wait here. Looks of one turn of the event loop share a
// statement; while one is under way, the next one of the same organization waits for it.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { batched } from '../stores/batch.ts'
import { positionAt } from './cursor.ts'
import { type Head, matches } from './filter.ts'
import { type History, historyOf, isOn } from './history.ts'
import { headsSince, type Watch } from './queries.ts'
import type { Sleeper } from './sleeper.ts'
import { isEarlier, type Snapshot } from './snapshot.ts'

/** The new entries for a watch; `heads` is undefined if there are too many, `history` on a standby. */
type Seen = { history: History | undefined; now: Snapshot; at: Date; heads: Head[] | undefined }

const maxWatches = 200
const maxHeads = 200

/** `asleepOf`: the readers of an organization that sleep. Returns what looks after one. */
export function openLook(app: App, asleepOf: (orgId: Uuid) => readonly Sleeper[]): (orgId: Uuid) => void {
  const see = batched(maxWatches, (watches: Watch[]) => seeTogether(app, watches))
  /** Under way; true if somebody asked for another one in the meantime. */
  const underWay = new Map<Uuid, boolean>()

  async function lookOnce(orgId: Uuid) {
    const sleepers = asleepOf(orgId).flatMap((sleeper) => (sleeper.asleep ? [{ sleeper, asleep: sleeper.asleep }] : []))
    if (sleepers.length === 0) return
    const seen = await see({ orgId, base: earliestOf(sleepers.map(({ asleep }) => asleep.position.base)) })
    for (const { sleeper, asleep } of sleepers) {
      // It has woken in the meantime.
      if (sleeper.asleep !== asleep) continue
      const { position } = asleep
      const { history } = seen
      // Of another history: then the reader finds out by reading.
      if (!history || !isOn(position, history) || isForIt(sleeper, seen)) sleeper.alarm.wake('woken')
      else if (isEarlier(position.base, seen.now)) asleep.position = positionAt(history, seen.now, seen.at)
    }
  }

  async function lookOn(orgId: Uuid) {
    try {
      do {
        underWay.set(orgId, false)
        await lookOnce(orgId)
      } while (underWay.get(orgId))
    } catch (error) {
      app.log.debug({ error: (error as Error).message }, 'a look for changes failed; the next one follows')
    } finally {
      underWay.delete(orgId)
    }
  }

  return (orgId) => {
    if (underWay.has(orgId)) underWay.set(orgId, true)
    else void lookOn(orgId)
  }
}

const earliestOf = (snapshots: readonly Snapshot[]): Snapshot => snapshots.reduce((a, b) => (isEarlier(b, a) ? b : a))

const isForIt = ({ filter }: Sleeper, { heads }: Seen): boolean => !heads || heads.some((head) => matches(filter, head))

async function seeTogether(app: App, watches: Watch[]): Promise<Seen[]> {
  const at = app.clock.now()
  const { from } = positionAt({ database: '' }, watches[0]!.base, at)
  const rows = Map.groupBy(await headsSince(app.sql, watches, from, maxHeads + 1), ({ orgId }) => orgId)
  return watches.map(({ orgId }) => {
    const own = rows.get(orgId)!
    const [{ database, now }] = own as [(typeof own)[0]]
    const heads = own.filter((row) => row.type !== null)
    return {
      history: database === null ? undefined : historyOf(database),
      now,
      at,
      heads: heads.length > maxHeads ? undefined : heads,
    }
  })
}
