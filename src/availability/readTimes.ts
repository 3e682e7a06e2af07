// The reads of a question about free time. Most organizations have granted no calendar of a human: their statement reads
// nothing of such calendars, and reports if that is wrong. A human's calendar whose revision is cached is not read again.
import type { App } from '../app.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { batchedPerKey } from '../stores/keyedBatch.ts'
import { openCopies, type RememberedCopy } from './copies.ts'
import { takeHolidays } from './holidays.ts'
import type { Window } from './intervals.ts'
import {
  type CalendarTimes,
  calendarTimes,
  type NamedTimes,
  namedTimes,
  namedTimesTogether,
  type Omitted,
  type Question,
  revisionsOf,
  type Scope,
} from './queries.ts'
import { maxBufferMinutes } from './schema.ts'
import type { Along, AlongRow } from './sourceQueries.ts'
import { copiesIn } from './times.ts'

export const readTimes = (app: App, scope: Scope, window: Window, now: Date): Promise<CalendarTimes[]> =>
  withHolidays(app, scope.orgId, window, readPlain(app, scope, window, now))

const readPlain = (app: App, scope: Scope, window: Window, now: Date): Promise<CalendarTimes[]> =>
  withGrants(
    app,
    scope.orgId,
    () => calendarTimes(app.sql, scope, window, now, without),
    async () => {
      const question = JSON.stringify(scope)
      const copies = app.memory(openCopiesOfApp)
      const wide = widened(window)
      const known = copies.behind(question, wide)
      const rows = await calendarTimes(app.sql, scope, window, now, { kind: 'copies', window: wide, known })
      const used = rows.flatMap((row) => takeCopies(row, wide, known))
      copies.keep(question, used)
      return rows
    },
  )

const without: Along = { kind: 'none' }

/** As `readTimes`, with the identifiers of the events. */
export const readNamedTimes = (
  app: App,
  scope: Scope,
  window: Window,
  now: Date,
  omitted: Omitted = {},
): Promise<NamedTimes[]> =>
  withHolidays(
    app,
    scope.orgId,
    window,
    withGrants(
      app,
      scope.orgId,
      () => namedTimes(app.sql, scope, window, now, omitted, without),
      () => namedTimes(app.sql, scope, window, now, omitted, { kind: 'times' }),
    ),
  )

/** Few, because each waits for the slowest of them. */
const maxTogether = 10
const gather = { upTo: 8, gatherMs: 1 }

const openTogether = (app: App) =>
  batchedPerKey<Question, NamedTimes | undefined>(
    maxTogether,
    async (orgId, questions) => {
      const rows = await namedTimesTogether(app.sql, orgId as Uuid, questions)
      const byQuestion = new Map<number, NamedTimes>(rows.map((row) => [row.nth, row]))
      return questions.map((_, nth) => byQuestion.get(nth))
    },
    { gather },
  )

/**
 * Like `readNamedTimes`, for one calendar: the questions of an organization in one turn of the event loop share a statement.
 * Undefined: the calendar is gone.
 */
export async function readNamedTogether(app: App, orgId: Uuid, question: Question): Promise<NamedTimes | undefined> {
  const { calendarId, window, now, omitted } = question
  const [row] = await withGrants(
    app,
    orgId,
    async () => {
      const found = await app.memory(openTogether)(orgId, question)
      return found ? withHolidays(app, orgId, window, Promise.resolve([found])) : []
    },
    () => readNamedTimes(app, { kind: 'calendar', orgId, calendarId }, window, now, omitted),
  )
  return row
}

export async function readRevisions(app: App, scope: Scope) {
  const [row] = await withGrants(
    app,
    scope.orgId,
    () => revisionsOf(app.sql, scope, false),
    () => revisionsOf(app.sql, scope, true),
  )
  return row
}

/** Rows whose rules name holiday feeds get their days from a statement of their own, which all others do not pay for. */
async function withHolidays<Row extends CalendarTimes>(
  app: App,
  orgId: Uuid,
  window: Window,
  reading: Promise<Row[]>,
): Promise<Row[]> {
  const rows = await reading
  await takeHolidays(app.sql, orgId, rows, window)
  return rows
}

const openGranting = () => new Set<Uuid>()
const maxGranting = 100_000

/** Each answer is one snapshot: if the organization has granted something after all, everything is read again. */
async function withGrants<Row extends Pick<AlongRow, 'isGranted'>>(
  app: App,
  orgId: Uuid,
  readWithout: () => PromiseLike<Row[]>,
  read: () => PromiseLike<Row[]>,
): Promise<Row[]> {
  const granting = app.memory(openGranting)
  if (!granting.has(orgId)) {
    const rows = await readWithout()
    if (!rows.some(({ isGranted }) => isGranted)) return rows
    if (granting.size >= maxGranting) granting.clear()
    granting.add(orgId)
  }
  return read()
}

const openCopiesOfApp = () => openCopies()

/** Questions about nearby windows share one read of a copy. */
const blockMs = 28 * dayMs

function widened({ fromMs, toMs }: Window): Window {
  const widestMs = maxBufferMinutes * minuteMs
  return {
    fromMs: Math.floor((fromMs - widestMs) / blockMs) * blockMs,
    toMs: Math.ceil((toMs + widestMs) / blockMs) * blockMs,
  }
}

/** Puts the copies of its sources into the row, and returns them. */
function takeCopies(row: CalendarTimes, window: Window, known: readonly RememberedCopy[]): RememberedCopy[] {
  const revisions = new Map(row.sources?.map(({ id, revision }) => [id, revision]))
  const read = copiesIn(row, window)
  const copies = (row.plainSources ?? []).flatMap((id) => {
    const revision = revisions.get(id)!
    const busy = read.get(id)
    return busy ? { id, revision, window, busy } : known.filter((one) => one.id === id && one.revision === revision)
  })
  row.external = copies.map(({ busy }) => busy)
  return copies
}
