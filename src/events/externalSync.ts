// `external_sync` of a response: the state of an event's copy in the calendar of a human.
import type { App } from '../app.ts'
import { providerOf } from '../connections/providers.ts'
import { publishedAs } from '../externalCopies/published.ts'
import { type SyncStatus, syncStatusOf } from '../externalCopies/rules.ts'
import type { Provider } from '../providers/provider.ts'
import type { ProviderName } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { EventRow } from './columns.ts'
import { type EventRecord, presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
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
    isExpressible: !provider || isExpressible(row, provider),
    isMoved: !before || isMoved(before, row),
    isOther: !eventBefore || textOf(eventBefore(), before) !== textOf(event, row),
  }
  return { status: syncStatusOf(published, change, now) }
}

/** Whether the provider has a form for it. */
export const isExpressible = (row: EventRow, provider: Pick<Provider, 'expresses'>): boolean =>
  row.recurrenceRule === null ||
  provider.expresses({
    rule: row.recurrenceRule,
    zone: row.recurrenceTimezone,
    hasDates: row.recurrenceRdates.length > 0,
    beginsInGap: row.recurrenceSkippedMs !== 0,
  })

/** The same of an event that there is already. */
export const externalSyncOfEdit = (
  app: App,
  before: EventWithCalendar,
  after: Pick<Change, 'row' | 'event'>,
  now: Date,
): Promise<ExternalSync> =>
  externalSyncOf(
    app,
    before.destinationId,
    { ...after, before, eventBefore: () => presentEvent(app, before, now) },
    now,
  )

/** Whether a copy would have another start, end or rule, its zone and dates included. */
export const isMoved = (before: EventRow, row: EventRow): boolean =>
  row.startTime.getTime() !== before.startTime.getTime() ||
  row.endTime.getTime() !== before.endTime.getTime() ||
  row.recurrenceRule !== before.recurrenceRule ||
  row.recurrenceTimezone !== before.recurrenceTimezone ||
  String(row.recurrenceRdates.map(Number)) !== String(before.recurrenceRdates.map(Number))

/** The content of a copy. That of a series leaves out the occurrences that have a copy of their own. */
const textOf = (event: EventRecord, row: EventRow | undefined): string =>
  JSON.stringify([
    row?.overriddenStarts,
    ...[event.title, event.description, event.startTime, event.endTime, event.allDay, event.status],
    ...[event.recurrenceRule, event.recurrenceExdates, event.recurrenceTimezone, event.recurrenceRdates],
    ...[event.location, event.conference, event.transparency, event.visibility, event.links],
  ])
