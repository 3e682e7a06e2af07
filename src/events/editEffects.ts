// What an edit of an event writes and tells.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import type { Origin } from '../changeLog/origin.ts'
import type { Effect } from '../commit/effect.ts'
import { publish } from '../externalCopies/publish.ts'
import { emit } from '../webhooks/emit.ts'
import type { EventRow } from './columns.ts'
import type { EventRecord } from './present.ts'
import { rewriteEvent } from './writes.ts'

/** `timers`: those that follow it. `isMoved`: its start, end or rule changed. `isPublished`: its copy says this already. */
type Further = { timers: readonly Effect[]; isMoved: boolean; isPublished?: boolean }

export const editEffects = (
  app: App,
  actor: Actor,
  origin: Origin,
  row: EventRow,
  event: EventRecord,
  { timers, isMoved, isPublished = false }: Further,
): Effect[] => [
  rewriteEvent(app, row),
  ...timers,
  ...(isPublished ? [] : [publish(app, row, isMoved)]),
  ...emit(app, origin, [{ type: 'event.updated', payload: { calendar_id: event.calendarId, event } }]),
  auditEntry(app, actor, 'event.update', event.id),
]
