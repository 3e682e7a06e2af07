// New events that need nothing but a living calendar. Those of one turn of the event loop, of whatever organizations,
// share one statement, which costs a busy process half of what one each would: each still commits whole, or not at all.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntryPerKey } from '../audit/record.ts'
import { bumpCalendars } from '../calendars/revision.ts'
import { commitParts } from '../changes/commitParts.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import { batched } from '../stores/batch.ts'
import { isRolledBack } from '../stores/failures.ts'
import { shardOf } from '../timers/timers.ts'
import { emitPerKey } from '../webhooks/emit.ts'
import type { EventRecord } from './present.ts'
import { type EventRow, insertNewEvents, newEventItems } from './queries.ts'
import { newEventTimers } from './timers.ts'

type NewEvent = { actor: Actor; row: EventRow; event: EventRecord }

/** An event and the trace of its own request, which the statement that it shares does not know. */
type TracedEvent = NewEvent & { traceparent: string | null }

type Outcome = { kind: 'done'; inserted: boolean } | { kind: 'unknown'; error: unknown }

const maxAtOnce = 50
const openInsert = (app: App) => batched<TracedEvent, Outcome>(maxAtOnce, (items) => insertAll(app, items))
const insertOf = (app: App) => app.memory(openInsert)

/** False: the calendar is gone, or the actor may not write to it. */
export async function insertTogether(app: App, item: NewEvent): Promise<boolean> {
  const outcome = await insertOf(app)({ ...item, traceparent: currentTraceparent() })
  if (outcome.kind === 'unknown') throw outcome.error
  return outcome.inserted
}

async function insertAll(app: App, items: readonly TracedEvent[]): Promise<Outcome[]> {
  try {
    const inserted = await insertEvents(app, items)
    return items.map(({ row }) => ({ kind: 'done', inserted: inserted.has(row.id) }))
  } catch (error) {
    // What Postgres rolled back is done again one by one; what may have happened is not.
    if (isRolledBack(error)) throw error
    return items.map(() => ({ kind: 'unknown', error }))
  }
}

async function insertEvents(app: App, items: readonly TracedEvent[]): Promise<Set<string>> {
  const { sql } = app
  const rows = items.map(({ actor, row, traceparent }) => ({
    row,
    agentId: actor.agentId ?? null,
    shard: shardOf(row.id),
    traceparent,
  }))
  const guard = sql`
    select i.id::text as key, i.id, c.revision, c.default_reminders from did_items i
    join did_bumped c on c.org_id = i.org_id and c.id = i.calendar_id`
  const { rows: guarded } = await commitParts<{ key: string }>(
    app,
    guard,
    {
      event: insertNewEvents(sql),
      timers: newEventTimers(sql),
      deliveries: emitPerKey(
        app,
        items.map(({ row, event, traceparent }) => ({
          orgId: row.orgId,
          key: row.id,
          type: 'event.created',
          payload: { calendar_id: event.calendarId, event },
          traceparent,
        })),
      ),
      audit: auditEntryPerKey(
        app,
        items.map(({ actor, row, event }) => ({ key: row.id, actor, action: 'event.create', resource: event.id })),
      ),
    },
    { items: newEventItems(sql, rows), ...bumpCalendars(app) },
  )
  return new Set(guarded.map(({ key }) => key))
}
