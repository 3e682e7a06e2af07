import { z } from 'zod'
import { feedTypes } from '../changeLog/catalog.ts'
import { causes } from '../changeLog/origin.ts'
import { nouns } from '../changeLog/subject.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id } from '../shapes/fields.ts'
import type { Prefix } from '../shapes/ids.ts'
import { eventTypes } from '../webhooks/catalog.ts'

const maxListed = 50
export const maxWaitSeconds = 55
/** A snapshot names every transaction that was running. */
const maxCursor = 12_000

const whole = (min: number, max: number, usual: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,3})$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(usual)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: usual } })

/** Separated by commas; a name that occurs twice counts twice, and is then dropped. */
const list = (what: string) =>
  z
    .string()
    .regex(/^[^,\s]+(\s*,\s*[^,\s]+)*$/, `expected ${what}, separated by commas`)
    .transform((text) => text.split(/\s*,\s*/))
    .refine((items) => items.length <= maxListed, `must be at most ${maxListed}`)
    .transform((items) => [...new Set(items)])

const ids = (prefix: Prefix) =>
  list(`${prefix}_ ids`)
    .optional()
    .meta({ example: exampleId(prefix) })

const changeTypes = [...eventTypes, ...feedTypes] as const

const isType = (name: string) => (changeTypes as readonly string[]).includes(name)

const filters = {
  types: list('types of changes')
    .refine((names) => names.every(isType), 'names a type that does not exist')
    .optional()
    .meta({
      description: 'Only these types, separated by commas, at most 50.',
      example: 'event.created,event.updated',
    }),
  calendar_ids: ids('cal').meta({ description: 'Only changes of these calendars, deleted ones too; at most 50.' }),
  agent_ids: ids('agt').meta({ description: 'Only changes of these agents and of their calendars; at most 50.' }),
  payload: z.enum(['full', 'none']).default('full').meta({ description: '`none` leaves out `payload`.' }),
}

const cursor = z.string().min(1, 'must not be empty').max(maxCursor).optional().meta({
  description:
    'The cursor of an earlier answer, or `oldest` for the oldest change that is kept. Without it: from now on.',
})

export const changesQuery = z.strictObject({
  cursor,
  wait: whole(0, maxWaitSeconds, 0).meta({
    description: 'Seconds to wait for the first change, if nothing has changed yet.',
  }),
  limit: whole(1, 200, 100).meta({
    description:
      'The most changes in an answer; it ends earlier at 512 KB of payloads. One change may have several entries.',
  }),
  ...filters,
})
export type ChangesQuery = z.infer<typeof changesQuery>

export const streamQuery = z.strictObject({ cursor, ...filters })
export type StreamQuery = z.infer<typeof streamQuery>

export const changeEntry = z
  .object({
    id: z.string().meta({ description: 'Of the entry: `change_id` and `position`.', example: `${exampleId('chg')}.0` }),
    change_id: id('chg'),
    position: z.int().meta({ description: 'Among the entries of one change.', example: 0 }),
    type: z.enum(changeTypes).meta({ example: 'event.created' }),
    at: timestamp,
    calendar_id: id('cal').nullable(),
    agent_id: id('agt').nullable().meta({ description: 'The agent that owns the calendar or organizes the proposal.' }),
    resource: z.object({
      type: z.enum(nouns).meta({ example: 'event' }),
      id: z.string().meta({
        description: 'For `availability_rules`: of its calendar. For `availability_source`: of the agent.',
        example: exampleId('evt'),
      }),
    }),
    revision: z.int().nullable().meta({
      description:
        'The revision of the calendar after the change. Null for a start, end or reminder, and without a calendar.',
      example: 7,
    }),
    cause: z.enum(causes),
    actor: z
      .object({ agent_id: id('agt').nullable(), key_prefix: z.string().nullable() })
      .nullable()
      .meta({ description: 'Null if no key or account acted: a time came due, a guest booked, a feed was imported.' }),
    payload: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'The payload that webhooks of this type get, fixed when the change happened. Left out with `payload=none`.',
    }),
  })
  .meta({ id: 'Change' })

export const changePage = z.object({
  data: z.array(changeEntry),
  cursor: z.string().meta({ description: 'Send it with the next request, also if `data` is empty.' }),
  has_more: z.boolean().meta({ description: 'More changes are waiting: ask again at once.', example: false }),
  kept_since: timestamp.meta({ description: 'Older changes are no longer kept.' }),
})
