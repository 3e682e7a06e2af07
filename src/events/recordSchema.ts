// The records of events in answers: of reads, of changes, of the trash, and of the context of a calendar.
import { z } from 'zod'
import { outsideField } from '../actors/outsideText.ts'
import { syncStatuses } from '../externalCopies/rules.ts'
import { localRecord } from '../localtime/schema.ts'
import { laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import { exampleId, id } from '../shapes/fields.ts'
import { shownDetails } from './detailsSchema.ts'
import { eventSources, eventStatuses } from './schema.ts'

const eventExample = {
  id: exampleId('evt'),
  calendarId: exampleId('cal'),
  orgId: exampleId('org'),
  title: 'Planning',
  description: null,
  startTime: '2026-12-01T09:00:00.000Z',
  endTime: '2026-12-01T10:00:00.000Z',
  allDay: false,
  status: 'confirmed',
  source: 'internal',
  metadata: {},
  reminders: [10],
  holdExpiresAt: null,
  holdPriority: 0,
  recurrenceRule: null,
  recurrenceExdates: [],
  deletedAt: null,
  createdAt: '2026-11-20T08:30:00.000Z',
  updatedAt: '2026-11-20T08:30:00.000Z',
}

export const eventRecord = z
  .object({
    id: id('evt'),
    calendarId: id('cal'),
    orgId: id('org'),
    title: z.string(),
    description: z.string().nullable(),
    startTime: timestamp,
    endTime: laterTimestamp,
    allDay: z.boolean(),
    status: z.enum(eventStatuses),
    source: z.enum(eventSources),
    metadata: z.record(z.string(), z.unknown()),
    reminders: z.array(z.int()).nullable().meta({ description: "Null: the calendar's." }),
    holdExpiresAt: timestamp.nullable(),
    holdPriority: z.int(),
    holdGroupId: id('hgr').optional().meta({ description: 'The group that the hold was placed with.' }),
    renewable: z.boolean().optional().meta({ description: 'Only of a renewable hold.' }),
    renewUntil: timestamp.optional(),
    holdFence: z.int().optional().meta({
      description: 'Of a renewable hold: of two holds of a calendar, the later one has the larger fence.',
    }),
    recurrenceRule: z.string().nullable(),
    recurrenceExdates: z.array(timestamp),
    recurrenceTimezone: z.string().optional().meta({ description: 'Where set: by whose clock the series repeats.' }),
    recurrenceRdates: z
      .array(timestamp)
      .optional()
      .meta({ description: 'Where set: starts beside those of the rule.' }),
    deletedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    ...shownDetails,
    local: localRecord.optional(),
    outside: outsideField,
  })
  .meta({ id: 'Event', example: eventExample })

/** As the answer to a change shows it. */
export const changedEventRecord = eventRecord
  .extend({
    external_sync: z.object({ status: z.enum(syncStatuses) }).meta({
      description: [
        "The state of the event's copy in the calendar of a human. `not_configured`: there is no destination.",
        '`skipped`: the policy needs no copy, or the human deleted it. `queued`: it will be written.',
        '`published`: it says this already. `failed`: it is kept until the destination is mended.',
      ].join(' '),
    }),
  })
  .meta({ id: 'ChangedEvent', example: { ...eventExample, external_sync: { status: 'not_configured' } } })

/** As a list shows it: an occurrence of an expanded series says which one it is. */
export const eventInstanceRecord = eventRecord
  .extend({
    recurringEventId: id('evt').optional().meta({ description: 'The series, of an occurrence.' }),
    originalStartTime: timestamp.optional().meta({ description: 'The start the occurrence was generated for.' }),
    overridden: z.literal(true).optional().meta({ description: 'Only of an occurrence that was edited by itself.' }),
  })
  .meta({ id: 'EventInstance', example: eventExample })

/** As the trash shows it. */
export const deletedEventRecord = eventRecord
  .extend({
    deletedAt: timestamp,
    restorable_until: timestamp
      .nullable()
      .meta({ description: 'Null: it cannot be restored, because a guest booked it.' }),
  })
  .meta({
    id: 'DeletedEvent',
    example: {
      ...eventExample,
      deletedAt: '2026-11-21T10:00:00.000Z',
      restorable_until: '2026-12-21T10:00:00.000Z',
    },
  })

/** A series that was split: what ends before the occurrence, and what begins there. */
export const splitRecord = z
  .object({ previous: changedEventRecord.nullable(), series: changedEventRecord })
  .meta({ id: 'SplitSeries' })

/** As the answer to a change of one occurrence shows it. */
export const changedInstanceRecord = eventInstanceRecord
  .extend({ external_sync: changedEventRecord.shape.external_sync })
  .meta({ id: 'ChangedEventInstance', example: { ...eventExample, external_sync: { status: 'not_configured' } } })

export const calendarContext = z
  .object({
    calendar_id: id('cal'),
    now: timestamp,
    agent_status: z.string().meta({ example: 'working' }),
    current_event: eventInstanceRecord.nullable(),
    next_event: eventInstanceRecord.nullable(),
    recent_events: z.array(eventInstanceRecord),
    upcoming: z.array(eventInstanceRecord),
  })
  .meta({ id: 'CalendarContext' })
