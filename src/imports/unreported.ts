// Counts of a large sync whose first blocks were written and whose last block, which reports to the change feed, was not. The
// next sync reports them, or else the end of the subscription.
import type { App } from '../app.ts'
import { lockExistingCalendar } from '../calendars/writes.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again, decide } from '../commit/decide.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { type Emission, emit } from '../webhooks/emit.ts'
import { unreportedById } from './queries.ts'
import { type SubscriptionKey, suspendSubscriptionGuard, type Written } from './writes.ts'

export const nothingWritten: Written = { added: 0, changed: 0, removed: 0 }
export const hasWritten = ({ added, changed, removed }: Written): boolean => added + changed + removed > 0

type Subscription = SubscriptionKey & { calendarId: Uuid }

export const importEmission = (
  { id, calendarId }: Pick<Subscription, 'id' | 'calendarId'>,
  { added, changed, removed }: Written,
): Emission => ({
  type: 'calendar.imported',
  payload: {
    calendar_id: encodeId('cal', calendarId),
    ical_subscription_id: encodeId('ics', id),
    ...{ added, changed, removed },
  },
})

/**
 * The report at the end of a subscription, as it was read: the change matches only while it has not changed. `calendar` locks
 * the calendar that `emitted` is about. A deleted calendar has nothing to report.
 */
export async function unreportedOf({ sql }: App, key: SubscriptionKey) {
  const [unreported] = await unreportedById(sql, key)
  if (!unreported || unreported.calendarGone || !hasWritten(unreported)) {
    return { unreported: unreported ?? nothingWritten, calendar: undefined, emitted: [], isGone: !unreported }
  }
  const { orgId, calendarId } = unreported
  return {
    isGone: false,
    unreported,
    calendar: lockExistingCalendar(sql, { orgId, calendarId }),
    emitted: [importEmission({ ...key, calendarId }, unreported)],
  }
}

/** For a paused one: it does not sync any more. */
export const suspendSubscription = (app: App, key: SubscriptionKey): Promise<void> =>
  decide(app, { noun: 'iCal subscription', key: key.id }, async () => {
    const left = await unreportedOf(app, key)
    const { matched } = await commit(app, {
      steps: left.calendar && [left.calendar],
      guard: suspendSubscriptionGuard(app.sql, key, left),
      effects: emit(app, byItself(key.orgId, 'import'), left.emitted),
    })
    return matched || left.isGone ? undefined : again
  })
