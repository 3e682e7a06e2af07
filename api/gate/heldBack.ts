// Requests that a guardrail holds back until a person has approved them. A trial comes first: invalid, forbidden and missing things
// are refused at once. Conflicts (409) depend on the state, so they are judged when the request is approved.
import { type Actor, answeredWith, type RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { requestApproval } from '../../src/approvals/request.ts'
import type { StoredRequest } from '../../src/approvals/stored.ts'
import type { SubjectIds } from '../../src/approvals/subject.ts'
import { WouldHappen } from '../../src/commit/dryRun.ts'
import { ServiceError } from '../../src/errors.ts'
import { isoTime } from '../../src/shapes/datetimes.ts'
import { newDryRun } from '../http/dryRun.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The actions of a request as the guardrail names them; otherwise the name of the operation. The first one is shown. A request that
 * does the same as another action counts as both.
 */
function actionsOf(operation: string, fields: Fields): readonly [string, ...string[]] {
  switch (operation) {
    case 'createEvent':
      return [isHold(fields) ? 'hold.create' : 'event.create']
    case 'createHoldGroup':
      return fields.confirm === true ? ['event.create', 'hold.create', 'hold.confirm'] : ['hold.create']
    case 'confirmHold':
    case 'confirmHoldGroup':
      return ['hold.confirm']
    case 'updateEvent':
    case 'updateEventById':
      return endsAll(fields) ? ['event.update', 'event.delete'] : ['event.update']
    case 'deleteEvent':
    case 'deleteEventById':
      return [fields.occurrence_start === undefined ? 'event.delete' : 'event.update']
    case 'restoreEvent':
      return ['restoreEvent', fields.occurrence_start === undefined ? 'event.create' : 'event.update']
    case 'updateCalendar':
      return ['calendar.update']
    case 'deleteCalendar':
      return ['calendar.delete']
    default:
      return [operation]
  }
}

const isHold = ({ status, hold_minutes, hold_expires_at }: Fields): boolean =>
  status === 'hold' || (status === undefined && (hold_minutes !== undefined || hold_expires_at !== undefined))

const endsAll = ({ status, occurrence_start }: Fields): boolean =>
  status === 'cancelled' && occurrence_start === undefined

/** The action that a person must approve first, if there is one. An approved request is not held back again. */
export function heldBackAction({ guardrails, approvalId }: Actor, operation: string, fields: Fields) {
  const on = guardrails?.approval?.on
  if (on === undefined || approvalId !== undefined) return undefined
  const actions = actionsOf(operation, fields)
  return on === 'all' || actions.some((action) => (on as readonly string[]).includes(action)) ? actions[0] : undefined
}

type HeldBack = {
  app: App
  actor: Actor
  action: string
  /** The request, to run it later. */
  stored: StoredRequest
  /** The fields of its query and its body. */
  fields: Fields
  ids: SubjectIds
  /** Runs it in the given request, which is a dry run. */
  trial(request: RequestContext): Promise<unknown>
}

/** Throws the refusal of the request, if it has one. Returns the body of a 202. */
export async function holdBack({ app, actor, action, stored, fields, ids, trial }: HeldBack) {
  const { responseKey: _, toStoredBody: __, ...request } = actor.request
  try {
    await trial({ ...request, dryRun: newDryRun() })
  } catch (error) {
    if (!(error instanceof WouldHappen) && !isConflict(error)) throw error
  }
  // The approved request spends, not this one.
  if (request.dryRun) request.dryRun.spends = {}
  return requestApproval(app, answeredWith(actor, 202), { action, fields, ids, request: stored })
}

const isConflict = (error: unknown): boolean => error instanceof ServiceError && error.status === 409

/** The subject of a request, by the ids of its path, of its query and of its body. */
export function subjectIdsOf(operation: string, fields: Fields): SubjectIds {
  const idOf = (prefix: string, ...names: string[]) =>
    names.map((name) => fields[name]).find((id): id is string => typeof id === 'string' && id.startsWith(`${prefix}_`))
  const { occurrence_start, requirements = [] } = fields
  const calendars = new Set(
    (requirements as { calendar_ids?: string[] }[]).flatMap(({ calendar_ids = [] }) => calendar_ids),
  )
  return {
    eventId: idOf('evt', 'id', 'event_id'),
    ...(occurrence_start instanceof Date && { occurrenceStart: isoTime(occurrence_start) }),
    groupId: idOf('hgr', 'id', 'hold_group_id'),
    calendarId: idOf('cal', 'cal_id', 'calendar_id', 'id') ?? (calendars.size === 1 ? [...calendars][0] : undefined),
    ...(/^(update|delete)Calendar$/.test(operation) && { isCalendar: true }),
    ...(operation === 'restoreEvent' && { isRestored: true }),
    agentId: /^(updateAgent|decommissionAgent)$/.test(operation) ? idOf('agt', 'id', 'agent_id') : undefined,
  }
}
