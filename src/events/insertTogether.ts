// New events that need nothing but a living calendar. Those of one turn of the event loop, of whatever organizations,
// share one statement, which costs a busy process half of what one each would: each still commits whole, or not at all.
import type { Actor } from '../actors/actor.ts'
import { answeredAll, keyedAnswer } from '../answers/answered.ts'
import type { App } from '../app.ts'
import { auditEach, entryColumns, entryOf } from '../audit/record.ts'
import { bumpSeenCalendars } from '../calendars/bumpSeen.ts'
import { bumpCalendars } from '../calendars/writes.ts'
import { commit } from '../changes/commit.ts'
import { guard, step } from '../changes/step.ts'
import { batched } from '../stores/batch.ts'
import { isRolledBack } from '../stores/failures.ts'
import { type Columns, rowsOf } from '../stores/sql.ts'
import { emissionColumns, emissionOf, emitEach } from '../webhooks/emit.ts'
import { columnTypes, type EventRow } from './columns.ts'
import type { EventRecord } from './present.ts'
import { newEventTimers } from './timers.ts'
import { insertEvents } from './writes.ts'

type NewEvent = { actor: Actor; row: EventRow; event: EventRecord }
/** `seenRevision`: of the calendar, when the time of the event was found free. */
type FreeEvent = NewEvent & { seenRevision: number }

/** One row for everything that is written of an event, in the trace of its own request. */
const itemColumns = { ...columnTypes, ...emissionColumns, ...entryColumns, plan: 'text' } as const

const itemOf = (app: App, { actor, row, event }: NewEvent) => ({
  ...row,
  ...emissionOf(app, actor, { type: 'event.created', payload: { calendar_id: event.calendarId, event } }),
  ...entryOf(app, { actor, action: 'event.create', resource: event.id }),
  plan: actor.plan,
  answer: keyedAnswer(app, actor, row.id, event),
})

type Item = ReturnType<typeof itemOf>
type Outcome = { kind: 'done'; inserted: boolean } | { kind: 'unknown'; error: unknown }

/** False: the calendar is gone, or the actor may not write to it. */
export const insertTogether = (app: App, event: NewEvent): Promise<boolean> =>
  done(app.memory(openPlainInsert)(itemOf(app, event)))

/** False: the calendar has changed since it was seen, or cannot be written to. */
export const insertFree = (app: App, event: FreeEvent): Promise<boolean> =>
  done(app.memory(openFreeInsert)({ ...itemOf(app, event), seenRevision: event.seenRevision }))

async function done(inserting: Promise<Outcome>): Promise<boolean> {
  const outcome = await inserting
  if (outcome.kind === 'unknown') throw outcome.error
  return outcome.inserted
}

const openPlainInsert = (app: App) => openInsert<Item>(app, itemColumns, bumpCalendars)
const openFreeInsert = (app: App) =>
  openInsert<Item & { seenRevision: number }>(app, { ...itemColumns, seenRevision: 'bigint' }, bumpSeenCalendars)

const maxAtOnce = 50

/** The statement costs as much as eight of its events. */
const maxBeside = 8

/** `admit`: which items may be inserted, and what locks and counts on their calendars. */
function openInsert<I extends Item>(app: App, columns: Columns<I>, admit: typeof bumpCalendars) {
  const insertAll = async (items: readonly I[]): Promise<Outcome[]> => {
    try {
      const refused = await commitAll(app, items, columns, admit)
      return items.map(({ id }) => ({ kind: 'done', inserted: !refused.has(id) }))
    } catch (error) {
      // What Postgres rolled back is done again one by one; what may have happened is not.
      if (isRolledBack(error)) throw error
      return items.map(() => ({ kind: 'unknown', error }))
    }
  }
  return batched<I, Outcome>(maxAtOnce, insertAll, { maxBeside })
}

/** Returns the identifiers of the events that were not inserted. The list of items is read once; effects have the guard. */
async function commitAll<I extends Item>(
  app: App,
  items: readonly I[],
  columns: Columns<I>,
  admit: typeof bumpCalendars,
): Promise<Set<string>> {
  const { sql } = app
  const listed = step('items', sql`select i.* from ${rowsOf(sql, items, columns, 'i')}`)
  const { locked, bumped, admitted } = admit(app, listed)
  const answers = items.flatMap(({ answer }) => answer ?? [])
  const { rows } = await commit<{ id: string }>(app, {
    steps: [listed, locked, bumped],
    guard: sql`select i.*, c.revision, c.default_reminders, c.agent_id from ${admitted}`,
    effects: [
      insertEvents(app, sql`${guard} i`),
      newEventTimers(app, sql`${guard} e`),
      ...emitEach(app),
      auditEach(app),
      answeredAll(app, answers),
    ],
    returning: sql`select i.id from ${listed} i where i.id not in (select id from ${guard})`,
  })
  return new Set(rows.map(({ id }) => id))
}
