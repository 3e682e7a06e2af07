// An occurrence that differs from its series has a row of its own: an event that happens once, with the fields that are its own and
// those of its series.
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Timer } from '../timers/timers.ts'
import { openMetadata, sealMetadata } from './bookingMetadata.ts'
import type { EventRow } from './columns.ts'
import { inheritedDetails } from './details.ts'
import { descriptionContext, textsOf } from './present.ts'

export const maxOverrides = 730

/** The changes to the occurrences of a series that have rows of their own. */
export type OverrideChanges = {
  written: readonly WrittenOverride[]
  dropped: readonly Uuid[]
}

/** `moments`: all of them, if they change. `isNew`: until now the timers of the series told them. */
type WrittenOverride = { row: EventRow; moments: readonly Timer[] | undefined; isNew: boolean }

/** The occurrence as its series has it. */
export function newOverride(app: App, series: EventRow, originalStart: Date): EventRow {
  const row: EventRow = {
    ...series,
    id: newId(),
    seriesId: series.id,
    originalStart,
    ownFields: [],
    ...{ recurrenceRule: null, recurrenceExdates: [], recurrenceTimezone: null, recurrenceRdates: [] },
    ...{ recurrenceSkippedMs: 0, overriddenStarts: [], seriesLastStart: null },
    ...{
      holdExpiresAt: null,
      holdOutcome: null,
      holdPriority: 0,
      holdGroupId: null,
      renewUntil: null,
      holdFence: null,
    },
  }
  return inherited(app, series, row)
}

/** The row of an occurrence, with what is not its own as the series has it now. */
export function inherited(app: App, series: EventRow, row: EventRow): EventRow {
  const { sealer } = app
  const own = new Set(row.ownFields)
  const texts = textsOf(app, series)
  const lengthMs = series.endTime.getTime() - series.startTime.getTime()
  const after: EventRow = {
    ...row,
    startTime: own.has('start_time') ? row.startTime : row.originalStart!,
    endTime: own.has('end_time') ? row.endTime : new Date(row.originalStart!.getTime() + lengthMs),
    allDay: own.has('all_day') ? row.allDay : series.allDay,
    status: own.has('status') ? row.status : series.status,
    reminders: own.has('reminders') ? row.reminders : series.reminders,
    ...inheritedDetails(sealer, series, row, own),
    updatedAt: series.updatedAt,
  }
  // An end that the series has, before a start that is its own.
  if (after.endTime <= after.startTime) after.endTime = new Date(after.startTime.getTime() + lengthMs)
  if (!own.has('title')) after.titleSealed = sealer.seal(titleContext(row.id), texts.title)
  if (!own.has('description')) {
    after.descriptionSealed =
      texts.description === null ? null : sealer.seal(descriptionContext(row.id), texts.description)
  }
  if (!own.has('metadata')) Object.assign(after, sealMetadata(sealer, row.id, openMetadata(sealer, series)))
  return after
}
