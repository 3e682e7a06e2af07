// The columns of an event, one line each: the field, its type here, its type in Postgres, and whether an edit writes it. Reads,
// inserts and edits use this list.
import { snakeCase } from '../shapes/cases.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import type { ColumnType } from '../stores/sql.ts'
import { Template } from '../stores/template.ts'
import type { ChangedDetails } from './detailsSchema.ts'
import type { EventState } from './rules.ts'

/** The fields that one occurrence may have of its own. */
export type OwnField =
  | 'title'
  | 'description'
  | 'start_time'
  | 'end_time'
  | 'all_day'
  | 'status'
  | 'metadata'
  | 'reminders'
  | keyof ChangedDetails

/** `value` is never there: it carries the type. */
type Column<Value> = { type: ColumnType; isEditable: boolean; isDetail?: true; value?: Value }
const fixed = <Value>(type: ColumnType): Column<Value> => ({ type, isEditable: false })
const editable = <Value>(type: ColumnType): Column<Value> => ({ type, isEditable: true })
/** Most events have the same value: none. Statements that write only such events do not send it. */
const detail = <Value>(type: ColumnType): Column<Value> => ({ type, isEditable: true, isDetail: true })

const columns = {
  orgId: fixed<Uuid>('uuid'),
  id: fixed<Uuid>('uuid'),
  calendarId: fixed<Uuid>('uuid'),
  titleSealed: editable<Buffer>('bytea'),
  descriptionSealed: editable<Buffer | null>('bytea'),
  startTime: editable<Date>('timestamptz'),
  endTime: editable<Date>('timestamptz'),
  allDay: editable<boolean>('boolean'),
  status: editable<EventState['status']>('text'),
  source: fixed<EventState['source']>('text'),
  /** Without `booking`, which is sealed. */
  metadata: editable<Record<string, unknown>>('jsonb'),
  bookingSealed: editable<Buffer | null>('bytea'),
  /** Minutes before the start; null: those of the calendar. */
  reminders: editable<number[] | null>('integer[]'),
  holdExpiresAt: fixed<Date | null>('timestamptz'),
  holdPriority: fixed<number>('smallint'),
  holdOutcome: editable<EventState['holdOutcome']>('text'),
  recurrenceRule: editable<string | null>('text'),
  /** The group that the hold was placed with. */
  holdGroupId: fixed<Uuid | null>('uuid'),
  /** Of a renewable hold, and no other one. */
  renewUntil: fixed<Date | null>('timestamptz'),
  /** Of two renewable holds of a calendar the later one has the larger fence. */
  holdFence: fixed<number | null>('bigint'),
  /** The starts of cancelled occurrences. */
  recurrenceExdates: editable<Date[]>('timestamptz[]'),
  /** By whose clock a series repeats; null: by UTC. */
  recurrenceTimezone: editable<string | null>('text'),
  /** Starts beside those of the rule, ascending. */
  recurrenceRdates: editable<Date[]>('timestamptz[]'),
  /** By how much the rule's time lies before the start on that clock, because clocks skip it there. */
  recurrenceSkippedMs: editable<number>('integer'),
  /** The original starts of the occurrences that have a row of their own. */
  overriddenStarts: editable<Date[]>('timestamptz[]'),
  /** Null for an event that happens once, and for a series without end. */
  seriesLastStart: editable<Date | null>('timestamptz'),
  /** Of a row that stands for one occurrence: its series, and the start that the rule gives it. */
  seriesId: fixed<Uuid | null>('uuid'),
  originalStart: fixed<Date | null>('timestamptz'),
  /** The fields that it does not take from its series. */
  ownFields: editable<OwnField[] | null>('text[]'),
  /** Place, call, visibility, labels, colour and links, as `details.ts` seals them; null: none of them. */
  detailsSealed: detail<Buffer | null>('bytea'),
  /** By which its labels are found (`labels.ts`); null: it has none. */
  labelKeys: detail<Buffer[] | null>('bytea[]'),
  /** It takes no time. */
  transparent: detail<boolean>('boolean'),
  createdAt: fixed<Date>('timestamptz'),
  updatedAt: editable<Date>('timestamptz'),
}

export type EventRow = {
  [Field in keyof typeof columns]: (typeof columns)[Field] extends Column<infer Value> ? Value : never
}

type Field = keyof EventRow
type Types<Name extends Field = Field> = Readonly<Record<Name, ColumnType>>

const fields = Object.keys(columns) as Field[]
const typesOf = <Name extends Field>(names: readonly Name[]): Types<Name> =>
  Object.fromEntries(names.map((name) => [name, columns[name].type])) as Types<Name>

/** The types of all columns, as `rowsOf` takes them. */
export const columnTypes = typesOf(fields)
export const editableTypes = typesOf(fields.filter((field) => columns[field].isEditable))
export const detailTypes = typesOf(fields.filter((field) => columns[field].isDetail))
/** Those of events without details, and those that an edit of anything else writes. */
export const plainTypes: Partial<Types> = typesOf(fields.filter((field) => !columns[field].isDetail))
export const plainEditableTypes: Partial<Types> = typesOf(
  fields.filter((field) => columns[field].isEditable && !columns[field].isDetail),
)

/** The columns that all new single confirmed events share, in SQL; the alias `i` has the others. */
const sameOfSingle: Partial<Record<Field, string>> = {
  source: `'internal'`,
  holdExpiresAt: 'null::timestamptz',
  holdPriority: '0::smallint',
  holdOutcome: 'null::text',
  holdGroupId: 'null::uuid',
  renewUntil: 'null::timestamptz',
  holdFence: 'null::bigint',
  recurrenceRule: 'null::text',
  recurrenceExdates: `'{}'::timestamptz[]`,
  recurrenceTimezone: 'null::text',
  recurrenceRdates: `'{}'::timestamptz[]`,
  recurrenceSkippedMs: '0',
  overriddenStarts: `'{}'::timestamptz[]`,
  seriesLastStart: 'null::timestamptz',
  seriesId: 'null::uuid',
  originalStart: 'null::timestamptz',
  ownFields: 'null::text[]',
  updatedAt: 'i.created_at',
}

/** The columns that say when an event happens. */
const recurringFields = [
  ...(['startTime', 'endTime', 'recurrenceRule', 'recurrenceExdates', 'recurrenceTimezone'] as const),
  ...(['recurrenceRdates', 'recurrenceSkippedMs', 'overriddenStarts'] as const),
]
export type RecurringRow = Pick<EventRow, (typeof recurringFields)[number]>

/** In which such events differ. */
export const singleTypes: Partial<Types> = typesOf(
  fields.filter((field) => !(field in sameOfSingle) && !columns[field].isDetail),
)

/** The columns that a feed sets. Its events are single and confirmed. */
export const importedTypes = {
  ...typesOf(['id', 'titleSealed', 'descriptionSealed', 'startTime', 'endTime', 'allDay', 'status']),
  icalKey: 'bytea',
  icalContent: 'bytea',
} as const
export const detailedImportTypes = { ...importedTypes, ...detailTypes } as const

/** `org_id, id`, of the table or alias that is given: `e.org_id, e.id`. */
export const columnList = (names: readonly string[], of?: string): Fragment =>
  text(names.map((name) => (of ? `${of}.${snakeCase(name)}` : snakeCase(name))).join(', '))

/** `title_sealed = i.title_sealed, …` for an update from an alias. */
export const assignments = (names: readonly string[], from: string): Fragment =>
  text(names.map((name) => `${snakeCase(name)} = ${from}.${snakeCase(name)}`).join(', '))

const text = (sql: string): Fragment => new Template([sql], [])

/** The details of an event without any. */
export const noDetails = text('null::bytea as details_sealed, null::bytea[] as label_keys, false as transparent')

/** The other columns of an event, from an alias `i` that has the `singleTypes`. */
export const singleRest = text(
  Object.entries(sameOfSingle)
    .map(([field, value]) => `${value} as ${snakeCase(field)}`)
    .join(', '),
)

/** When an event happens, from the alias `e`. */
export const recurringColumns = columnList(recurringFields, 'e')

/** The columns that are read of an event, from the alias `e`. */
export const eventColumns = columnList(fields, 'e')
