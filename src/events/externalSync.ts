// What the answer to a change of an event says of its copy in the calendar of a human.
import type { App } from '../app.ts'
import { providerOf } from '../connections/providers.ts'
import { publishedAs } from '../externalCopies/published.ts'
import { type SyncStatus, syncStatusOf } from '../externalCopies/rules.ts'
import type { ProviderName } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { EventRow } from './columns.ts'
import { type EventRecord, presentEvent } from './present.ts'
import type { PlacedEventRow } from './queries.ts'
import { lastEnd } from './rule.ts'

export type ExternalSync = { status: SyncStatus }

type Change = { row: EventRow; event: EventRecord; before?: EventRow; eventBefore?: () => EventRecord }

/** `destinationId`: where the calendar is published to, when it was read. */
export async function externalSyncOf(
  app: App,
  destinationId: Uuid | null,
  { row, event, before, eventBefore }: Change,
  now: Date,
): Promise<ExternalSync> {
  const published = await publishedAs(app, row.orgId, destinationId, before && row.id)
  if (!published) return { status: 'not_configured' }
  const provider =
    published.provider === null ? undefined : providerOf(app, published.provider as ProviderName, row.orgId)
  const change = {
    event: { status: event.status, source: row.source, endsAt: lastEnd(row) },
    isExpressible: row.recurrenceRule === null || (provider?.expresses(row.recurrenceRule) ?? true),
    isMoved: !before || isMoved(before, row),
    isOther: !eventBefore || textOf(eventBefore()) !== textOf(event),
  }
  return { status: syncStatusOf(published, change, now) }
}

/** The same of an event that there is already. */
export const externalSyncOfEdit = (
  app: App,
  before: PlacedEventRow,
  after: Pick<Change, 'row' | 'event'>,
  now: Date,
): Promise<ExternalSync> =>
  externalSyncOf(
    app,
    before.destinationId,
    { ...after, before, eventBefore: () => presentEvent(app, before, now) },
    now,
  )

/** Whether a copy would have another start, end or rule. */
export const isMoved = (before: EventRow, row: EventRow): boolean =>
  row.startTime.getTime() !== before.startTime.getTime() ||
  row.endTime.getTime() !== before.endTime.getTime() ||
  row.recurrenceRule !== before.recurrenceRule

/** What a copy says. */
const textOf = (event: EventRecord): string =>
  JSON.stringify([
    ...[event.title, event.description, event.startTime, event.endTime, event.allDay, event.status],
    ...[event.recurrenceRule, event.recurrenceExdates],
  ])
