import { z } from 'zod'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { localRecord } from '../localtime/schema.ts'
import { laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import type { ErrorCode } from '../shapes/errorTypes.ts'
import { exampleId, id, idInput, metadata } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

export const groupStatuses = ['held', 'confirmed', 'released', 'expired'] as const
export const groupReasons = ['lapsed', 'preempted', 'calendar_gone'] as const

const maxCalendars = 50
const maxHolds = 40

const requirement = z.strictObject({
  calendar_ids: z.array(idInput('cal')).min(1).max(maxCalendars),
  need: z.int().min(1).max(20).default(1).meta({ description: 'How many of the calendars are needed.' }),
  spare: z.int().min(0).max(20).default(0).meta({
    description: 'How many more are held if their time is free. They are released when the group is confirmed.',
  }),
  start_time: datetime.optional().meta({ description: "Instead of the group's." }),
  end_time: laterDatetime.optional(),
})

export const createGroupBody = z
  .strictObject({
    title: z.string().min(1).max(500),
    description: z.string().max(50_000).optional(),
    start_time: datetime,
    end_time: laterDatetime,
    hold_expires_at: datetime.optional().meta({ description: '30 s to 15 min ahead. Required without `confirm`.' }),
    hold_priority: z.int().min(0).max(100).default(0),
    metadata: metadata.optional(),
    renewable: z.boolean().optional(),
    renew_until: datetime.optional().meta({
      description: 'Until when the group may be renewed, at most 24 hours ahead. 4 hours unless given.',
    }),
    confirm: z.boolean().default(false).meta({ description: 'Create confirmed events at once, without holds.' }),
    require_free: z.boolean().default(true).meta({
      description: 'Only calendars count that are free by the rules of availability. If false, only other holds count.',
    }),
    requirements: z.array(requirement).min(1).max(20),
  })
  .check(({ value, issues }) => {
    const refuse = (path: (string | number)[], message: string, code?: ErrorCode) =>
      issues.push({ code: 'custom', path, message, input: undefined, ...(code && { params: { code } }) })
    if (value.end_time <= value.start_time) refuse(['end_time'], 'must be after start_time', 'end_before_start')
    checkHold(value, refuse)
    checkRequirements(value, refuse)
  })
  .meta({
    id: 'CreateHoldGroup',
    example: {
      title: 'Interview',
      start_time: '2026-12-01T09:00:00Z',
      end_time: '2026-12-01T10:00:00Z',
      hold_expires_at: '2026-11-20T08:45:00Z',
      requirements: [{ calendar_ids: [exampleId('cal')], need: 1 }],
    },
  })
export type CreateGroupBody = z.infer<typeof createGroupBody>

type Refuse = (path: (string | number)[], message: string, code?: ErrorCode) => void
type HoldFields = {
  confirm: boolean
  hold_expires_at?: Date | undefined
  renewable?: boolean | undefined
  renew_until?: Date | undefined
}

function checkHold({ confirm, hold_expires_at: expires, renewable, renew_until: until }: HoldFields, refuse: Refuse) {
  if (confirm) {
    if (expires) refuse(['hold_expires_at'], 'not with confirm: nothing is held')
    if (renewable !== undefined) refuse(['renewable'], 'not with confirm: nothing is held')
    if (until) refuse(['renew_until'], 'not with confirm: nothing is held')
    return
  }
  if (!expires) refuse(['hold_expires_at'], 'is required unless confirm is true')
  if (until && !renewable) refuse(['renew_until'], 'only with renewable: true')
  else if (until && expires && until < expires) refuse(['renew_until'], 'must not be before hold_expires_at')
}

type Wanted = { start_time: Date; end_time: Date; requirements: readonly z.infer<typeof requirement>[] }

function checkRequirements({ start_time, end_time, requirements }: Wanted, refuse: Refuse) {
  const seen = new Set<string>()
  for (const [nth, one] of requirements.entries()) {
    const at = (...path: (string | number)[]) => ['requirements', nth, ...path]
    const hasTimes = one.start_time !== undefined || one.end_time !== undefined
    if (hasTimes && (one.end_time ?? end_time) <= (one.start_time ?? start_time))
      refuse(at(one.end_time ? 'end_time' : 'start_time'), 'end_time must be after start_time', 'end_before_start')
    for (const [place, calendarId] of one.calendar_ids.entries()) {
      if (seen.has(calendarId)) refuse(at('calendar_ids', place), 'this calendar is named twice')
      seen.add(calendarId)
    }
    if (one.need > one.calendar_ids.length) refuse(at('need'), 'is more than the number of calendars')
  }
  const named = requirements.reduce((sum, one) => sum + one.calendar_ids.length, 0)
  const holds = requirements.reduce((sum, { need, spare }) => sum + need + spare, 0)
  if (named > maxCalendars) refuse(['requirements'], `may name at most ${maxCalendars} calendars`)
  if (holds > maxHolds) refuse(['requirements'], `may ask for at most ${maxHolds} holds`)
}

export const groupListQuery = pageQuery().extend({ status: z.enum(groupStatuses).optional() })
export type GroupListQuery = z.infer<typeof groupListQuery>

export const confirmGroupBody = z
  .strictObject({
    choose: z
      .array(idInput('cal'))
      .max(maxHolds)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a calendar twice')
      .optional()
      .meta({
        description:
          'Calendars of members that become confirmed, at most `need` of a requirement. Without it the first ones are.',
      }),
  })
  .meta({ id: 'ConfirmHoldGroup', example: { choose: [exampleId('cal')] } })
export type ConfirmGroupBody = z.infer<typeof confirmGroupBody>

export const renewGroupBody = z
  .strictObject({ hold_expires_at: datetime.meta({ description: '30 s to 15 min ahead, at most `renew_until`.' }) })
  .meta({ id: 'RenewHoldGroup', example: { hold_expires_at: '2026-11-20T08:55:00Z' } })
export type RenewGroupBody = z.infer<typeof renewGroupBody>

const memberRecord = z.object({
  calendar_id: id('cal'),
  agent_id: id('agt').nullable().meta({ description: 'The owner of the calendar.' }),
  event_id: id('evt'),
  start_time: timestamp,
  end_time: laterTimestamp,
  status: z.enum(['confirmed', 'tentative', 'cancelled', 'hold']),
  hold_fence: z.int().optional().meta({ description: 'Of a renewable group.' }),
  local: localRecord.optional(),
})

export const groupRecord = z
  .object({
    id: id('hgr'),
    status: z.enum(groupStatuses),
    reason: z.enum(groupReasons).nullable().meta({ description: 'Why it is `expired`.' }),
    title: z.string(),
    description: z.string().nullable(),
    start_time: timestamp,
    end_time: laterTimestamp,
    hold_expires_at: timestamp.nullable().meta({ description: 'Null: it was confirmed at once.' }),
    hold_priority: z.int(),
    require_free: z.boolean(),
    renewable: z.boolean().optional(),
    renew_until: timestamp.optional(),
    metadata: z.record(z.string(), z.unknown()),
    requirements: z.array(z.object({ need: z.int(), spare: z.int(), members: z.array(memberRecord) })),
    created_at: timestamp,
    updated_at: timestamp,
    local: localRecord.optional(),
  })
  .meta({
    id: 'HoldGroup',
    example: {
      id: exampleId('hgr'),
      status: 'held',
      reason: null,
      title: 'Interview',
      description: null,
      start_time: '2026-12-01T09:00:00.000Z',
      end_time: '2026-12-01T10:00:00.000Z',
      hold_expires_at: '2026-11-20T08:45:00.000Z',
      hold_priority: 0,
      require_free: true,
      metadata: {},
      requirements: [
        {
          need: 1,
          spare: 0,
          members: [
            {
              calendar_id: exampleId('cal'),
              agent_id: exampleId('agt'),
              event_id: exampleId('evt'),
              start_time: '2026-12-01T09:00:00.000Z',
              end_time: '2026-12-01T10:00:00.000Z',
              status: 'hold',
            },
          ],
        },
      ],
      created_at: '2026-11-20T08:30:00.000Z',
      updated_at: '2026-11-20T08:30:00.000Z',
    },
  })
