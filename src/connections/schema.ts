import { z } from 'zod'
import { capabilityNames, errorCategories, providers, reauthorizationReasons } from '../providers/rules.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput, queryBoolean, zone } from '../shapes/fields.ts'
import { connectionStatuses, inOrder, maxSelected, syncStatuses } from './rules.ts'

export const capabilities = z
  .array(z.enum(capabilityNames))
  .min(1, 'name at least one of availability, publishing')
  .max(capabilityNames.length)
  .transform(inOrder)

const username = z.string().min(1).max(320)
const password = z.string().min(1).max(1024)

export const connectCaldavBody = z
  .strictObject({
    server_url: z.string().min(1).max(2048).meta({ format: 'uri', example: 'https://caldav.example.com' }),
    username: username.meta({ example: 'ada@example.com' }),
    password: password.meta({ description: 'An app password for this service alone, if the server offers them.' }),
    timezone: zone.optional().meta({ description: 'The zone of dates and of local times.' }),
    capabilities: capabilities.optional(),
    setup_link_id: idInput('csl').optional(),
  })
  .meta({
    example: { server_url: 'https://caldav.example.com', username: 'ada@example.com', password: 'aaaa-bbbb-cccc-dddd' },
  })
export type ConnectCaldavBody = z.infer<typeof connectCaldavBody>

/** Without `capabilities`: those of the link, or availability. */
export const startOauthBody = z
  .strictObject({ capabilities: capabilities.optional(), setup_link_id: idInput('csl').optional() })
  .meta({ example: { capabilities: ['availability'] } })
export type StartOauthBody = z.infer<typeof startOauthBody>

/** The form of the page behind a link: a provider and, for CalDAV, the account. The page names missing fields. */
export const beginBody = z
  .strictObject({
    form_token: z.string().max(100).optional(),
    provider: z.string().max(50).default('caldav'),
    server_url: z.string().max(2048).optional(),
    username: z.string().max(320).optional(),
    password: z.string().max(1024).optional(),
  })
  .meta({
    example: {
      form_token: 'Zk8vT2qLm4Xw9Rb6',
      provider: 'caldav',
      server_url: 'https://caldav.example.com',
      username: 'ada@example.com',
      password: 'aaaa-bbbb-cccc-dddd',
    },
  })

/** Of OAuth the capabilities, of CalDAV the password. */
export const reauthorizeBody = z
  .strictObject({ password: password.optional(), username: username.optional(), capabilities: capabilities.optional() })
  .meta({ example: { password: 'aaaa-bbbb-cccc-dddd' } })
export type ReauthorizeBody = z.infer<typeof reauthorizeBody>

export const updateConnectionBody = z
  .strictObject({
    capabilities: capabilities.optional(),
    selected_external_calendar_ids: z.array(idInput('xcl')).max(maxSelected).optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'give at least one of capabilities, selected_external_calendar_ids')
  .meta({ minProperties: 1, example: { selected_external_calendar_ids: [exampleId('xcl')] } })
export type UpdateConnectionBody = z.infer<typeof updateConnectionBody>

export const removeConnectionQuery = z.strictObject({
  keep_published: queryBoolean
    .default(false)
    .meta({ description: 'Leaves the copies of events that have not ended in the external calendar.' }),
})

export const externalCalendarRecord = z
  .object({
    id: id('xcl'),
    name: z.string().meta({ example: 'Personal' }),
    access_role: z.enum(['owner', 'writer', 'reader', 'free_busy']).nullable(),
    primary: z.boolean(),
    timezone: z.string().nullable().meta({ example: 'Europe/Berlin' }),
    availability_readable: z.boolean(),
    writable: z.boolean(),
    selected: z.boolean(),
    availability_source_active: z
      .boolean()
      .meta({ description: 'Selected, readable, and in an active grant.', example: true }),
    sync: z.object({
      status: z
        .enum(syncStatuses)
        .nullable()
        .meta({ description: 'Null: the calendar is not selected.', example: 'current' }),
      last_attempted_at: timestamp.nullable(),
      last_successful_sync_at: timestamp.nullable(),
      last_error_category: z.enum(errorCategories).nullable().meta({ example: null }),
    }),
  })
  .meta({ id: 'ExternalCalendar' })

export const connectionRecord = z
  .object({
    id: id('con'),
    provider: z.enum(providers).meta({ example: 'caldav' }),
    account_label: z.string().nullable().meta({ example: 'ada@example.com' }),
    capabilities: z.array(z.enum(capabilityNames)).meta({ example: ['availability'] }),
    status: z.enum(connectionStatuses),
    reauthorization_reason: z.enum(reauthorizationReasons).nullable().meta({ example: null }),
    selected_calendar_count: z.int().meta({ example: 1 }),
    last_authenticated_at: timestamp,
    created_at: timestamp,
    member_id: id('mem').optional().meta({
      description: 'Of another member, whose account has no label here. For owners and admins only.',
    }),
  })
  .meta({ id: 'CalendarConnection' })

export const connectionDetail = connectionRecord
  .extend({ calendars: z.array(externalCalendarRecord).meta({ description: 'The primary one first, then by name.' }) })
  .meta({ id: 'CalendarConnectionDetail' })

export const connectionState = z.object({ id: id('con'), status: z.enum(connectionStatuses) })

export const sentToProvider = z.object({ authorization_url: z.string().meta({ format: 'uri' }) })

export const refreshed = z.object({
  status: z.enum(['current', 'partial']),
  synced_calendars: z.int().meta({ description: 'How many selected calendars were read.', example: 1 }),
})
