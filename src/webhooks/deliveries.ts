// The delivery history of a subscription.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { invalid } from '../errors.ts'
import { decodeCursor, encodeCursor } from '../shapes/cursor.ts'
import { dayMs } from '../shapes/durations.ts'
import { encodeId, firstIdAt, timeOfId, type Uuid } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import {
  type DeliveryKey,
  deliveriesOf,
  deliveryCounts,
  filteredCount,
  type HistoryQuery,
  type HistoryRow,
  payloadsOf,
} from './historyQueries.ts'
import { presentDelivery, presentLastAttempt } from './present.ts'
import type { DeliveryListQuery } from './schema.ts'
import { requireWebhook } from './subscriptions.ts'

/** `stats` count all deliveries of the webhook, whatever the filters; `total` counts the filtered ones. */
export async function listDeliveries(app: App, actor: Actor, webhookId: string, query: DeliveryListQuery) {
  const { id } = await requireWebhook(app, actor, webhookId)
  const list = `deliveries ${encodeId('whk', id)}`
  const page = { limit: query.limit, offset: query.offset ?? 0 }
  const after = placeOf(list, query.cursor)
  const isFiltered = query.event_type !== undefined || query.from !== undefined || query.to !== undefined
  const [rows, [counted], [filtered]] = await Promise.all([
    // One row more than requested shows whether another page follows.
    rowsOfPage(app, { orgId: actor.orgId, id }, { ...query, ...page, after, limit: page.limit + 1 }),
    deliveryCounts(app.sql, actor.orgId, id),
    isFiltered ? filteredCount(app.sql, actor.orgId, id, query) : [],
  ])
  const { pending, delivered, failed } = counted ?? { pending: 0, delivered: 0, failed: 0 }
  const stats = { pending, delivered, failed }
  const counts = query.status ? stats[query.status] : stats.pending + stats.delivered + stats.failed
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return {
    ...listPage(
      await mapInSlices(shown, (row) => ({
        ...presentDelivery(app, row),
        ...(query.include_attempt && { last_attempt: presentLastAttempt(row) }),
      })),
      filtered?.total ?? counts,
      page,
    ),
    stats,
    ...(query.cursor !== undefined && {
      next_cursor: rows.length > shown.length && last ? cursorOf(list, last) : null,
    }),
  }
}

/**
 * Most pages end within days of where they begin. Those days are read alone first, so that Postgres looks into few partitions.
 */
async function rowsOfPage(
  { sql }: App,
  { orgId, id }: { orgId: Uuid; id: Uuid },
  query: HistoryQuery & { include_payload: boolean },
): Promise<HistoryRow[]> {
  const near = query.offset > 0 ? [] : await deliveriesOf(sql, orgId, id, { ...query, sinceChange: nearOf(query) })
  const rows = near.length === query.limit ? near : await deliveriesOf(sql, orgId, id, query)
  if (!query.include_payload || rows.length === 0) return rows
  const payloads = new Map((await payloadsOf(sql, orgId, rows)).map((row) => [keyOf(row), row]))
  return rows.map((row) => ({ ...row, ...payloads.get(keyOf(row)) }))
}

const keyOf = ({ changeId, position }: DeliveryKey) => `${changeId} ${position}`

const nearMs = 2 * dayMs

/** Ids carry real time, whatever a test's clock says. */
function nearOf({ after, to }: HistoryQuery): Uuid {
  const begins = after ? timeOfId(after.changeId) : Math.min(Date.now(), to?.getTime() ?? Number.POSITIVE_INFINITY)
  return firstIdAt(new Date(Math.max(0, begins - nearMs)))
}

const cursorOf = (list: string, { changeId, position }: DeliveryKey) =>
  encodeCursor(list, { at: position, id: changeId, last: 0 })

function placeOf(list: string, cursor: string | undefined): { changeId: Uuid; position: number } | undefined {
  if (!cursor) return undefined
  const place = decodeCursor(list, cursor)
  if (!place) throw invalid('cursor: send the next_cursor of the page before unchanged', 'cursor')
  return { changeId: place.id, position: place.at }
}
