// A request in words: the subject and the local time, and the fields that would change, before and after. Pure.
import { localOf } from '../localtime/present.ts'
import { snakeCase } from '../shapes/cases.ts'
import { isoTime } from '../shapes/datetimes.ts'

type Fields = Readonly<Record<string, unknown>>

/** `before`: the record of the subject, undefined for something new. `calendar`: the subject, or where it lies. */
export type Subject = {
  before: Fields | undefined
  calendar: { id: string; name: string } | undefined
  zone: string
}

export type Change = { field: string; before: unknown; after: unknown }

type Described = { summary: string; changes: readonly Change[] }

/** `action`: one of the guardrail, or the operation. `fields`: those of the query and the body. */
type Request = { action: string; fields: Fields }

const verbs: Record<string, string> = {
  'event.create': 'Create',
  'event.update': 'Change',
  'event.delete': 'Delete',
  'hold.create': 'Hold a time for',
  'hold.confirm': 'Confirm the hold',
  'calendar.update': 'Change the calendar',
  'calendar.delete': 'Delete the calendar',
  restoreEvent: 'Restore',
}

export function describeRequest({ action, fields }: Request, subject: Subject): Described {
  const changes = changesOf({ action, fields }, subject.before)
  return { summary: summaryOf({ action, fields }, subject, changes), changes }
}

function summaryOf(
  { action, fields }: Request,
  { before, calendar, zone }: Subject,
  changes: readonly Change[],
): string {
  const name = before?.title ?? before?.name ?? fields.title ?? fields.name
  const what = typeof name === 'string' ? ` “${name}”` : ''
  const where = calendar === undefined || action.startsWith('calendar') ? '' : ` on “${calendar.name}”`
  const [start, end] = [timeIn('start_time', fields, before), timeIn('end_time', fields, before)]
  const allDay = (fields.all_day ?? before?.allDay) === true
  const when = start && end && end > start ? `: ${localOf({ start, end, allDay }, zone).text}` : ''
  const rule = fields.recurrence_rule === undefined ? before?.recurrenceRule : fields.recurrence_rule
  const repeats = typeof rule === 'string' && fields.occurrence_start === undefined ? `, repeating (${rule})` : ''
  return `${verbOf({ action, fields }, changes)}${what}${where}${when}${repeats}`
}

function verbOf({ action, fields }: Request, changes: readonly Change[]): string {
  const verb = verbs[action] ?? sentenceOf(action)
  if (fields.occurrence_start === undefined) return verb
  if (action === 'restoreEvent') return 'Restore one occurrence of'
  const isEnd = changes.length === 0
  if (fields.revert === true) return 'Undo the changes to one occurrence of'
  const which = fields.scope === 'following' ? 'this and all following occurrences of' : 'one occurrence of'
  return `${isEnd ? 'Cancel' : 'Change'} ${which}`
}

/** `createAgentCalendar` is “Create agent calendar”. */
function sentenceOf(operation: string): string {
  const words = snakeCase(operation).replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** As it would be after the request. A moved start keeps the length. */
function timeIn(field: 'start_time' | 'end_time', fields: Fields, before: Fields | undefined): Date | undefined {
  const sent = dateOf(fields[field])
  if (sent) return sent
  const known = dateOf(fieldIn(before, field))
  if (field === 'start_time' || !known || fields.start_time === undefined) return known
  const [start, moved] = [dateOf(fieldIn(before, 'start_time')), dateOf(fields.start_time)]
  return start && moved ? new Date(known.getTime() + moved.getTime() - start.getTime()) : known
}

function dateOf(value: unknown): Date | undefined {
  const at = value instanceof Date ? value : typeof value === 'string' ? new Date(value) : undefined
  return at && !Number.isNaN(at.getTime()) ? at : undefined
}

/** They say how the request is done, and change nothing by themselves. */
const switches = new Set([
  'view',
  'tz',
  'require_free',
  'explain',
  'dry_run',
  'weekday',
  'start_zone',
  'occurrence_start',
  'scope',
  'revert',
])

/** Shown first, and of something that would be removed, shown alone. */
const main = ['title', 'name', 'start_time', 'end_time', 'recurrence_rule', 'description']
const rankOf = ({ field }: Change): number => (main.includes(field) ? main.indexOf(field) : main.length)

function changesOf({ action, fields }: Request, before: Fields | undefined): Change[] {
  if (action === 'hold.confirm') return [{ field: 'status', before: before?.status ?? 'hold', after: 'confirmed' }]
  if (action === 'restoreEvent') {
    const values = main.map((field) => ({ field, before: null, after: fieldIn(before, field) }))
    return values.filter((one) => one.after !== null)
  }
  const given = Object.entries(fields).filter(([field, after]) => after !== undefined && !switches.has(field))
  const isRemoval = given.length === 0 && fields.occurrence_start === undefined && before !== undefined
  if (isRemoval) {
    const values = main.map((field) => ({ field, before: fieldIn(before, field), after: null }))
    return values.filter((one) => one.before !== null)
  }
  return given
    .map(([field, value]) => ({ field, before: fieldIn(before, field), after: plain(value) }))
    .filter(({ before: old, after }) => (before ? JSON.stringify(old) !== JSON.stringify(after) : !isUsual(after)))
    .sort((a, b) => rankOf(a) - rankOf(b))
}

/** The value that a new thing has anyway. */
const isUsual = (value: unknown): boolean =>
  !value || value === 'confirmed' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Records name their fields in both ways. */
const fieldIn = (record: Fields | undefined, field: string): unknown => {
  const name = Object.keys(record ?? {}).find((key) => snakeCase(key) === field)
  return name === undefined ? null : (record![name] ?? null)
}

const plain = (value: unknown): unknown => (value instanceof Date ? isoTime(value) : value)
