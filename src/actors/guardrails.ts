// The guardrails of an agent key: what its organization lets it do within its scope. They are shown and stored as they were sent.
import { guarded } from '../errors.ts'
import { decodeId, encodeId, type Uuid } from '../shapes/ids.ts'

/** The actions that a key may have to ask approval for. */
export const approvalActions = [
  'event.create',
  'event.update',
  'event.delete',
  'hold.create',
  'hold.confirm',
  'calendar.update',
  'calendar.delete',
] as const
type ApprovalAction = (typeof approvalActions)[number]

type ApprovalTerms = {
  on: 'all' | readonly ApprovalAction[]
  expires_in_minutes: number
  /** `session`: whoever may act for the organization. `link`: whoever has the address that is mailed to its owner. */
  approver: 'session' | 'link'
}

type Hours = { start: string; end: string }
type Day = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'

/** A key that is left out forbids nothing. */
export type Guardrails = {
  read_only?: boolean | undefined
  calendar_ids?: readonly string[] | undefined
  /** Of the hours and of the days that are counted; UTC without it. */
  timezone?: string | undefined
  allowed_hours?: { [day in Day]?: Hours | Hours[] | undefined } | undefined
  max_minutes?: number | undefined
  max_days_ahead?: number | undefined
  min_notice_minutes?: number | undefined
  max_hold_priority?: number | undefined
  max_live_holds?: number | undefined
  require_free?: boolean | undefined
  max_events_per_day?: number | undefined
  max_holds_per_day?: number | undefined
  approval?: ApprovalTerms | undefined
  /** How careful the key is shown text from outside, at least. */
  outside_text?: 'fenced' | 'hidden' | undefined
}

/** The names by which refusals are counted. */
export const guardrailNames = [
  'read_only',
  'calendar_ids',
  'allowed_hours',
  'max_minutes',
  'max_days_ahead',
  'min_notice_minutes',
  'max_hold_priority',
  'max_live_holds',
  'max_events_per_day',
  'max_holds_per_day',
  'approval',
] as const
export type GuardrailName = (typeof guardrailNames)[number]

type Guarded = { guardrails?: Guardrails }

/** The only calendars that the key has access to; undefined: all of its agent. */
export const listedCalendars = ({ guardrails }: Guarded): Uuid[] | undefined =>
  guardrails?.calendar_ids?.flatMap((id) => decodeId('cal', id) ?? [])

/** Throws unless the key has access to the calendar. It need not exist. */
export function requireListedCalendar({ guardrails }: Guarded, calendarId: Uuid): void {
  const listed = guardrails?.calendar_ids
  if (listed && !listed.includes(encodeId('cal', calendarId))) throw unlisted()
}

/** For what concerns all calendars of the agent, or makes another one. */
export function requireAllCalendars({ guardrails }: Guarded): void {
  if (guardrails?.calendar_ids) throw unlisted()
}

const unlisted = () => guarded('calendar_ids', 'The guardrails of this key do not list this calendar.')

/** Throws if the key can only read. */
export function requireWriter({ guardrails }: Guarded): void {
  if (guardrails?.read_only) throw guarded('read_only', 'The guardrails of this key let it only read.')
}
