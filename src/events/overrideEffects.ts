// The effects of a change of a series on its occurrences that have rows of their own. The guard has the series.
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { type Moment, refitTimers, untoldMoments } from '../timers/writes.ts'
import type { OverrideChanges } from './overrides.ts'
import { hideOverrides, removeOverrides, writeOverrides } from './writes.ts'

type Item = { id: Uuid; refits: boolean; moments: readonly Moment[]; overrides: OverrideChanges | undefined }

const changesOf = (items: readonly Item[]) => {
  const all = items.flatMap(({ id, overrides }) => (overrides ? [{ seriesId: id, ...overrides }] : []))
  const written = all.flatMap((one) => one.written)
  const dropped = all.flatMap(({ seriesId, dropped: ids }) => ids.map((id) => ({ id, seriesId })))
  return { written, dropped }
}

/** Those of a deleted series are kept: they come back with it. */
export function overrideEffects(
  app: App,
  items: readonly (Item & { deletedAt: Date | null })[],
): (Effect | undefined)[] {
  const { written, dropped } = changesOf(items.filter(({ deletedAt }) => deletedAt === null))
  const hidden = changesOf(items.filter(({ deletedAt }) => deletedAt !== null)).dropped
  const rows = written.map(({ row }) => row)
  const ids = dropped.map(({ id }) => id)
  const hiddenIds = hidden.map(({ id }) => id)
  return [
    rows.length > 0 ? writeOverrides(app, rows) : undefined,
    ids.length > 0 ? removeOverrides(app, ids) : undefined,
    hiddenIds.length > 0 ? hideOverrides(app, hiddenIds) : undefined,
  ]
}

/** The timers of the series that are refitted, and those of their occurrences that change. */
export function timersWithOverrides(app: App, items: readonly Item[]): Effect[] {
  const { sql } = app
  const { written, dropped } = changesOf(items)
  const now = app.clock.now()
  const timed = written.flatMap(({ row, moments, isNew }) =>
    moments ? [{ id: row.id, seriesId: row.seriesId!, moments, isNew }] : [],
  )
  const moments = timed.flatMap(({ id, moments: all }) =>
    all.map((moment) => ({ ...moment, subjectId: id, isComing: moment.dueAt > now })),
  )
  const taken = timed
    .filter(({ isNew }) => isNew)
    .flatMap(({ id, seriesId, moments: all }) =>
      all.filter(({ dueAt }) => dueAt <= now).map((moment) => ({ ...moment, subjectId: id, seriesId })),
    )
  const listed = [...timed, ...dropped].map(({ id, seriesId }) => ({ id, seriesId }))
  const refitted = effect(
    'refitted',
    sql`
    select g.org_id, g.id, g.calendar_id, g.revision, g.traceparent, true as refits
    from ${guard} g
    where g.refits
    union all
    select g.org_id, o.id, g.calendar_id, g.revision, g.traceparent, true
    from ${guard} g
    join ${rowsOf(sql, listed, { id: 'uuid', seriesId: 'uuid' }, 'o')} on o.series_id = g.id`,
  )
  const all = [...items.flatMap((item) => item.moments), ...moments]
  const untold = taken.length > 0 ? untoldMoments(app, taken) : undefined
  const refits = refitTimers(app, all, { mayMove: true, subjects: sql`${refitted}`, untold })
  return [refitted, ...(untold ? [untold] : []), ...refits]
}

/** The events whose copies are compared anew, under the alias `e`: each such occurrence has a copy of its own. */
export function publishedOf({ sql }: App, items: readonly Item[]): Fragment {
  const { written, dropped } = changesOf(items)
  const listed = [...written.map(({ row }) => ({ id: row.id, seriesId: row.seriesId! })), ...dropped]
  if (listed.length === 0) return sql`(select * from ${guard} where publishes) e`
  return sql`(
    select org_id, id, calendar_id, destination_id from ${guard} where publishes
    union all
    select g.org_id, o.id, g.calendar_id, g.destination_id
    from ${guard} g
    join ${rowsOf(sql, listed, { id: 'uuid', seriesId: 'uuid' }, 'o')} on o.series_id = g.id) e`
}
