// New events that need nothing but a living calendar. Those of one turn of the event loop, of whatever organizations,
// share one statement, which costs a busy process half of what one each would: each still commits whole, or not at all.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEach, entryColumns, entryOf } from '../audit/record.ts'
import { bumpCalendars } from '../calendars/writes.ts'
import { commit } from '../commit/commit.ts'
import { type DryRunEnd, WouldHappen } from '../commit/dryRun.ts'
import { guard, step } from '../commit/step.ts'
import { publishAll } from '../externalCopies/publish.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answeredAll, dryRunEnd, keyedAnswer } from '../storedResponses/answered.ts'
import { batched } from '../stores/batch.ts'
import { isRolledBack } from '../stores/failures.ts'
import { type Columns, rowsOf } from '../stores/sql.ts'
import { type Emission, emissionColumns, emissionOf, emitEach } from '../webhooks/emit.ts'
import { type EventRow, singleRest, singleTypes } from './columns.ts'
import type { ExternalSync } from './externalSync.ts'
import type { EventRecord } from './present.ts'
import { newEventTimers } from './timers.ts'
import { insertEvents } from './writes.ts'
import { answerOf, type Beside } from './written.ts'

/** `destinationId`: where the calendar is published to, when it was read; `sync`: what follows from that. */
type NewEvent = {
  actor: Actor
  row: EventRow
  event: EventRecord
  destinationId: Uuid | null
  sync: ExternalSync
  beside?: Beside
}
/** `seenRevision`: of the calendar, when the time of the event was found free. */
export type FreeEvent = NewEvent & { seenRevision: number }

/** One row for everything that is written of an event, in the trace of its own request. */
const itemColumns = {
  ...singleTypes,
  ...emissionColumns,
  ...entryColumns,
  ...({ plan: 'text', destinationId: 'uuid' } as const),
}

const emissionFor = ({ event }: NewEvent): Emission => ({
  type: 'event.created',
  payload: { calendar_id: event.calendarId, event },
})

const itemOf = (app: App, added: NewEvent) => ({
  ...added.row,
  ...emissionOf(app, added.actor, emissionFor(added)),
  ...entryOf(app, { actor: added.actor, action: 'event.create', resource: added.event.id }),
  plan: added.actor.plan,
  destinationId: added.destinationId,
  answer: keyedAnswer(app, added.actor, added.row.id, answerOf(added), added.beside),
})

type Item = ReturnType<typeof itemOf>
type Outcome = { kind: 'done'; inserted: boolean } | { kind: 'unknown'; error: unknown }

/** False: the calendar is gone, or published elsewhere by now, or the actor may not write to it. */
export const insertTogether = (app: App, event: NewEvent): Promise<boolean> => {
  const item = itemOf(app, event)
  if (event.actor.request.dryRun) return runDryTogether(app, event, item)
  return done(app.memory(openPlainInsert)(item))
}

/**
 * False: the calendar has changed since it was seen, or cannot be written to. Events of one calendar that were seen at one revision
 * are inserted together: the caller has made sure that they are not in each other's way.
 */
export const insertFree = (app: App, event: FreeEvent): Promise<boolean> => {
  const item = { ...itemOf(app, event), seenRevision: event.seenRevision }
  if (event.actor.request.dryRun) return runDryAlone(app, event, item)
  return done(app.memory(openFreeInsert)(item))
}

async function done(inserting: Promise<Outcome>): Promise<boolean> {
  const outcome = await inserting
  if (outcome.kind === 'unknown') throw outcome.error
  return outcome.inserted
}

/** `asSeen`: only while the calendar is as it was seen. */
type Kind<I extends Item> = { columns: Columns<I>; asSeen: boolean }

const plainKind: Kind<Item> = { columns: itemColumns, asSeen: false }
const freeKind: Kind<Item & { seenRevision: number }> = {
  columns: { ...itemColumns, seenRevision: 'bigint' },
  asSeen: true,
}

const openPlainInsert = (app: App) => openInsert(app, plainKind)
const openFreeInsert = (app: App) => openInsert(app, freeKind)

const maxAtOnce = 50

/** The statement costs as much as eight of its events, so a few wait for each other. */
const gather = { upTo: 8, gatherMs: 2 }

function openInsert<I extends Item>(app: App, kind: Kind<I>) {
  const insertAll = async (items: readonly I[]): Promise<Outcome[]> => {
    try {
      const refused = await commitAll(app, items, kind)
      return items.map(({ id }) => ({ kind: 'done', inserted: !refused.has(id) }))
    } catch (error) {
      // What Postgres rolled back is done again one by one; what may have happened is not.
      if (isRolledBack(error)) throw error
      return items.map(() => ({ kind: 'unknown', error }))
    }
  }
  return batched<I, Outcome>(maxAtOnce, insertAll, { gather })
}

/** False: the event would not be inserted. */
async function runDryAlone(app: App, added: NewEvent, item: Item & { seenRevision: number }): Promise<boolean> {
  await commitAll(app, [item], freeKind, { told: [emissionFor(added)], end: endOf(app, added) })
  return false
}

/** The same for events that do not depend on each other: their dry runs share a statement, and all are undone. */
async function runDryTogether(app: App, added: NewEvent, item: Item): Promise<boolean> {
  const end = endOf(app, added)
  if (await app.memory(openDryInsert)({ item, end })) throw new WouldHappen(end, [emissionFor(added)], 1)
  return false
}

const endOf = (app: App, added: NewEvent): DryRunEnd => dryRunEnd(app, added.actor, answerOf(added), [added.event.id])!

type Trial = { item: Item; end: DryRunEnd }

const openDryInsert = (app: App) =>
  batched<Trial, boolean>(maxAtOnce, (trials) => wouldBeInserted(app, trials), { gather })

/** Throws if that differs among them: then they are tried one by one. */
async function wouldBeInserted(app: App, trials: readonly Trial[]): Promise<boolean[]> {
  const items = trials.map(({ item }) => item)
  try {
    await commitAll(app, items, plainKind, { told: [], end: trials[0]!.end })
    return trials.map(() => false)
  } catch (error) {
    if (!(error instanceof WouldHappen) || error.matched < trials.length) throw error
    return trials.map(() => true)
  }
}

/** Instead of what happens: what would be told, and the end. */
type InsteadOfIt = { told: readonly Emission[]; end: DryRunEnd }

/** Returns the identifiers of the events that were not inserted. The list of items is read once; effects have the guard. */
async function commitAll<I extends Item>(
  app: App,
  items: readonly I[],
  { columns, asSeen }: Kind<I>,
  dryRun?: InsteadOfIt,
): Promise<Set<string>> {
  const { sql } = app
  const listed = step('items', sql`select i.*, ${singleRest} from ${rowsOf(sql, items, columns, 'i')}`)
  const { locked, bumped, admitted } = bumpCalendars(app, listed, asSeen)
  const isPublished = items.some(({ destinationId }) => destinationId !== null)
  const answers = items.flatMap(({ answer }) => answer ?? [])
  const { rows } = await commit<{ id: string }>(app, {
    steps: [listed, locked, bumped],
    guard: sql`select i.*, c.revision, c.default_reminders, c.agent_id from ${admitted}`,
    effects: [
      insertEvents(app, sql`${guard} i`),
      newEventTimers(app, sql`${guard} e`),
      // The guard has only calendars that are published where the items say.
      isPublished ? publishAll(app, sql`${guard} e`, true) : undefined,
      ...emitEach(app, dryRun?.told),
      auditEach(app),
      answeredAll(app, answers),
      dryRun?.end,
    ],
    returning: sql`select i.id from ${listed} i where i.id not in (select id from ${guard})`,
  })
  return new Set(rows.map(({ id }) => id))
}
