// New events that need nothing but a living calendar. Those of one turn of the event loop, of whatever organizations,
// share one statement, which costs a busy process half of what one each would: each still commits whole, or not at all.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntryPerKey } from '../audit/record.ts'
import { bumpCalendars } from '../calendars/writes.ts'
import { commit } from '../changes/commit.ts'
import { guard, type Step, step } from '../changes/step.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import { batched } from '../stores/batch.ts'
import { isRolledBack } from '../stores/failures.ts'
import { rowsOf } from '../stores/sql.ts'
import { emitPerKey } from '../webhooks/emit.ts'
import { columnTypes, type EventRow } from './columns.ts'
import type { EventRecord } from './present.ts'
import { newEventTimers } from './timers.ts'
import { insertEvents } from './writes.ts'

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
    const inserted = await commitAll(app, items)
    return items.map(({ row }) => ({ kind: 'done', inserted: inserted.has(row.id) }))
  } catch (error) {
    // What Postgres rolled back is done again one by one; what may have happened is not.
    if (isRolledBack(error)) throw error
    return items.map(() => ({ kind: 'unknown', error }))
  }
}

/** Returns the identifiers of the events that were inserted. */
async function commitAll(app: App, items: readonly TracedEvent[]): Promise<Set<string>> {
  const { sql } = app
  const allowed = allowedItems(app, items)
  const [locked, bumped] = bumpCalendars(app, allowed)
  const inserted = insertEvents(app, sql`${guard} join ${allowed} i on i.id = ${guard}.id`)
  const { rows } = await commit<{ key: string }>(app, {
    steps: [allowed, locked, bumped],
    guard: sql`
      select i.id::text as key, i.id, i.traceparent, c.revision, c.default_reminders
      from ${allowed} i
      join ${bumped} c on c.org_id = i.org_id and c.id = i.calendar_id`,
    effects: [
      inserted,
      newEventTimers(app, inserted, { each: sql`${guard}.id = e.id`, traceparent: sql`${guard}.traceparent` }),
      emitPerKey(
        app,
        items.map(({ row, event, traceparent }) => ({
          orgId: row.orgId,
          key: row.id,
          type: 'event.created',
          payload: { calendar_id: event.calendarId, event },
          traceparent,
        })),
      ),
      auditEntryPerKey(
        app,
        items.map(({ actor, row, event }) => ({ key: row.id, actor, action: 'event.create', resource: event.id })),
      ),
    ],
  })
  return new Set(rows.map(({ key }) => key))
}

/** The events whose calendar the actor may touch: an agent only its own. */
function allowedItems({ sql }: App, items: readonly TracedEvent[]): Step {
  const rows = items.map(({ actor, row, traceparent }) => ({ ...row, agentId: actor.agentId ?? null, traceparent }))
  return step(
    'items',
    sql`
    select i.*
    from ${rowsOf(sql, rows, { ...columnTypes, agentId: 'uuid', traceparent: 'text' }, 'i')}
    join calendars c on c.org_id = i.org_id and c.id = i.calendar_id
      and (i.agent_id is null or i.agent_id = c.agent_id)`,
  )
}
