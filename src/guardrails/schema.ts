// The guardrails of a key, as an organization sends them.
import { z } from 'zod'
import { approvalActions, type Guardrails } from '../actors/guardrails.ts'
import { refuseHours } from '../availability/rules.ts'
import { weeklyHours, weekRecord } from '../availability/schema.ts'
import { exampleId, idInput, zone } from '../shapes/fields.ts'

const maxCalendars = 50
const maxCount = 1_000_000
const count = z.int().min(0).max(maxCount).optional()
const week = 7 * 24 * 60

const approval = z.strictObject({
  on: z
    .union([z.literal('all'), z.array(z.enum(approvalActions)).min(1).max(approvalActions.length)])
    .meta({ description: '`all`: every change that an agent key can make.' }),
  expires_in_minutes: z.int().min(5).max(week).default(1440),
  approver: z.enum(['session', 'link']).default('session').meta({
    description:
      "`session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner.",
  }),
})

const shape = {
  read_only: z.boolean().optional().meta({ description: 'The key changes nothing.' }),
  calendar_ids: z
    .array(idInput('cal'))
    .min(1)
    .max(maxCalendars)
    .optional()
    .meta({
      description:
        'The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these.',
      example: [exampleId('cal')],
    }),
  timezone: zone.optional().meta({ description: 'Of the hours and of the days that are counted; UTC without it.' }),
  allowed_hours: weeklyHours.optional().meta({
    description: 'Events and holds lie within these hours, each occurrence of the first 366 days too.',
  }),
  max_minutes: count.meta({ description: 'The longest event or hold.' }),
  max_days_ahead: count.meta({
    description: 'Events and holds start at most this many days from now, each occurrence of the first 366 days too.',
  }),
  min_notice_minutes: count.meta({ description: 'Events and holds start at least this many minutes from now.' }),
  max_hold_priority: z.int().min(0).max(100).optional(),
  max_live_holds: count.meta({ description: 'Active holds on the calendars of its agent.' }),
  require_free: z.boolean().optional().meta({ description: 'As if every change of time had `require_free`.' }),
  max_events_per_day: count.meta({
    description: 'Events that the key creates in a day of `timezone`, and holds that it confirms.',
  }),
  max_holds_per_day: count.meta({ description: 'Holds that the key places in a day of `timezone`.' }),
  approval: approval.optional(),
  outside_text: z.enum(['fenced', 'hidden']).optional().meta({
    description: 'At least so careful is the key shown text that guests and feeds wrote, on every surface.',
  }),
}

const example = { calendar_ids: [exampleId('cal')], max_minutes: 60, max_events_per_day: 20 }

const guardrailsBody = z
  .strictObject(shape)
  .check(({ value, issues }) => {
    const refusal = value.allowed_hours && refuseHours(value.allowed_hours, 'allowed_hours')
    if (!refusal) return
    const { param, message } = refusal
    issues.push({ code: 'custom', path: param.split('.'), message, input: undefined })
  })
  .transform((sent): Guardrails => sent)
  .meta({ description: 'Limits of what the key may do; null: none.', example })

/** Null and an empty object are no guardrails. */
export const guardrailsField = guardrailsBody
  .nullable()
  .transform((sent) => (sent && Object.keys(sent).length > 0 ? sent : null))
  .optional()

export const guardrailsRecord = z
  .object({ ...shape, allowed_hours: weekRecord.optional() })
  .meta({ id: 'KeyGuardrails', description: 'Only where the key has some.', example })
