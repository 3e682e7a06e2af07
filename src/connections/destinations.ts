// Where the events of a calendar are published to: chosen by the human, in their console or on the page of a link.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireCalendar, requireLiveCalendar } from '../calendars/calendars.ts'
import { publishCalendarGuard } from '../calendars/writes.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import type { Effect } from '../commit/effect.ts'
import { type Step, step } from '../commit/step.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { presentDestination } from '../externalCopies/present.ts'
import { destinationRowOf } from '../externalCopies/published.ts'
import { type Policy, withdrawalMs } from '../externalCopies/rules.ts'
import type { DestinationBody } from '../externalCopies/schema.ts'
import { destinationContext } from '../externalCopies/sealed.ts'
import { endDestinations, insertDestination, renewDestination, resumeDestination } from '../externalCopies/writes.ts'
import { atRevision } from '../organizations/caps.ts'
import { recorded } from '../recording/recorded.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { decodeCalendars } from './connections.ts'
import { isOwn } from './owner.ts'
import { type WritableRow, writableCalendar } from './queries.ts'
import { remoteContext } from './sealed.ts'

export async function getDestination(app: App, actor: Actor, calendarId: string) {
  const calendar = await requireCalendar(app, actor, calendarId)
  const row = await destinationRowOf(app, calendar.orgId, calendar.id)
  return { data: row ? presentDestination(row) : null }
}

/** Choosing the same calendar again repairs it, and goes through all events anew. */
export async function setDestination(app: App, actor: Actor, calendarId: string, body: DestinationBody) {
  const now = app.clock.now()
  const chosen = await atRevision(app, actor, async (organization) => {
    const calendar = await requireLiveCalendar(app, actor, calendarId)
    const target = await requireTarget(app, actor, body.external_calendar_id, 'external_calendar_id')
    refuseUnpublishable(target)
    const lockedOrganization = step('organization', organization)
    const choice = await choose(app, calendar, target, body.policy, lockedOrganization, now)
    return commitOrAgain(
      app,
      {
        steps: [lockedOrganization],
        guard: choice.guard,
        effects: [
          ...choice.effects,
          ...recorded(app, actor, {
            action: 'calendar.update',
            resource: encodeId('cal', calendar.id),
            response: choice.record,
            created: choice.isNew ? [choice.record.id] : [],
          }),
        ],
      },
      choice,
    )
  })
  app.bell.ring(chosen.ended.concat(chosen.id).map((id) => wakeup('publish', { orgId: actor.orgId, id }, now)))
  return chosen.record
}

export async function removeDestination(
  app: App,
  actor: Actor,
  calendarId: string,
  keepsCopies: boolean,
): Promise<void> {
  const now = app.clock.now()
  const calendar = await requireCalendar(app, actor, calendarId)
  const seen = await destinationRowOf(app, calendar.orgId, calendar.id)
  if (!seen) return commitResponse(app, actor, undefined)
  await atRevision(app, actor, async (organization) => {
    const lockedOrganization = step('organization', organization)
    return commitOrAgain(app, {
      steps: [lockedOrganization],
      guard: publishCalendarGuard(app.sql, { ...calendar, destinationId: seen.id }, null, lockedOrganization),
      effects: [
        endDestinations(app.sql, calendar.orgId, app.sql`select ${seen.id}::uuid`, {
          now,
          givesUpAt: new Date(now.getTime() + withdrawalMs),
          keepsCopies,
        }),
        ...recorded(app, actor, {
          action: 'calendar.update',
          resource: encodeId('cal', calendar.id),
          response: undefined,
        }),
      ],
    })
  })
  app.bell.ring([wakeup('publish', { orgId: calendar.orgId, id: seen.id }, now)])
}

type Calendar = { orgId: Uuid; id: Uuid; destinationId: Uuid | null }

/** The parts of the change that makes it the destination: a guard on the calendar, and effects. */
export async function choose(
  app: App,
  calendar: Calendar,
  target: WritableRow,
  policy: Policy,
  lockedOrganization: Step,
  now: Date,
) {
  const { orgId } = calendar
  const before = await destinationRowOf(app, orgId, calendar.id)
  const isSame = before?.externalCalendarId === target.id
  const id = isSame ? before.id : newId()
  const row = {
    orgId,
    id,
    calendarId: calendar.id,
    connectionId: target.connectionId,
    externalCalendarId: target.id,
    remoteSealed: app.sealer.seal(
      destinationContext(id),
      app.sealer.unseal(remoteContext(target.id), target.remoteSealed),
    ),
    policy,
    createdAt: now,
  }
  const end = { now, givesUpAt: new Date(now.getTime() + withdrawalMs), keepsCopies: false }
  const ending =
    before && !isSame ? endDestinations(app.sql, orgId, app.sql`select ${before.id}::uuid`, end) : undefined
  const effects: Effect[] = isSame
    ? [renewDestination(app.sql, row, policy, now), resumeDestination(app.sql, row)]
    : [...(ending ? [ending] : []), insertDestination(app.sql, row, ending)]
  const state = { connectionStatus: target.connectionStatus, isWritable: target.isWritable, lost: null }
  return {
    id,
    isNew: !isSame,
    ended: before && !isSame ? [before.id] : [],
    guard: publishCalendarGuard(app.sql, calendar, id, lockedOrganization),
    effects,
    record: presentDestination({
      queued: 0,
      failed: 0,
      lastError: null,
      ...(isSame && mended(before)),
      ...row,
      ...state,
    }),
  }
}

/** Failed copies are due again. */
const mended = ({ queued, failed }: { queued: number; failed: number }) => ({
  queued: queued + failed,
  failed: 0,
  lastError: null,
})

/** An external calendar of the member who asks. 400 if it cannot be written to. */
export async function requireTarget(app: App, actor: Actor, sent: string, param: string): Promise<WritableRow> {
  const [id] = decodeCalendars([sent], param)
  const [row] = await writableCalendar(app.sql, actor.orgId, id!)
  if (!row || !isOwn(actor, row)) throw notFound('external calendar', param, sent)
  if (!row.isWritable) throw invalid(`${param}: names a calendar that cannot be written to.`, param)
  return row
}

export function refuseUnpublishable({ connectionStatus, capabilities }: WritableRow): void {
  if (connectionStatus !== 'active') {
    throw conflict(`Events are published through an active connection only; this one is ${connectionStatus}.`)
  }
  if (!capabilities.includes('publishing')) {
    throw conflict(
      'The account was not authorized for publishing. Reauthorize the connection with it.',
      'scope_missing',
    )
  }
}
