// The content of an export: every list in full, each record as the API shows it.
import { z } from 'zod'
import { roles } from '../actors/roles.ts'
import { agentRecord } from '../agents/schema.ts'
import { approvalRecord } from '../approvals/schema.ts'
import { rulesRecord } from '../availability/schema.ts'
import { calendarRecord } from '../calendars/schema.ts'
import { eventInstanceRecord, eventRecord } from '../events/recordSchema.ts'
import { guardrailsRecord } from '../guardrails/schema.ts'
import { groupRecord } from '../holdGroups/schema.ts'
import { subscriptionRecord } from '../imports/schema.ts'
import { invitationRecord } from '../members/invitationSchema.ts'
import { organizationRecord } from '../organizations/schema.ts'
import { proposalRecord, responseRecord, slotRecord } from '../proposals/schema.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { id } from '../shapes/fields.ts'
import { createdWebhookRecord } from '../webhooks/schema.ts'

const exportedKey = z.object({
  id: id('key'),
  key_prefix: z.string().meta({ example: 'svc_sk_5Jx1q8Zt0bW3r' }),
  agent_id: id('agt').nullable().meta({ description: "Null: the organization's own key." }),
  label: z.string().nullable(),
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
})

const metric = z.string().meta({ example: 'api_calls' })

export const exportRecord = z
  .object({
    exported_at: timestamp,
    format_version: z.literal('1'),
    org: organizationRecord,
    agents: z.array(agentRecord),
    calendars: z
      .array(
        calendarRecord.extend({
          ical_token: z.string().meta({ description: 'The token of its public feed.' }),
          busy_ical_token: z.string().optional().meta({ description: 'That of its busy feed, if it has one.' }),
        }),
      )
      .meta({ description: 'Deleted ones too, while they are kept.' }),
    events: z.array(eventRecord).meta({ description: 'Deleted ones too, while they are kept.' }),
    overrides: z
      .array(eventInstanceRecord)
      .optional()
      .meta({ description: 'Occurrences that differ from their series, if there are any.' }),
    availability_rules: z.array(rulesRecord),
    ical_subscriptions: z.array(subscriptionRecord),
    webhook_subscriptions: z.array(
      createdWebhookRecord.extend({ headers: z.record(z.string(), z.string()).optional() }),
    ),
    api_keys: z.array(exportedKey).meta({ description: 'Without their secrets, which are not kept.' }),
    scheduling_proposals: z.array(proposalRecord),
    proposal_slots: z.array(slotRecord.extend({ proposal_id: id('spr') })),
    proposal_responses: z.array(responseRecord.extend({ proposal_id: id('spr') })),
    hold_groups: z.array(groupRecord),
    guardrails: z
      .array(z.object({ key_id: id('key'), agent_id: id('agt'), guardrails: guardrailsRecord }))
      .optional()
      .meta({ description: 'Of agent keys, if any has some.' }),
    approvals: z.array(approvalRecord).optional().meta({ description: 'If an agent key has asked for any.' }),
    usage_records: z.array(z.object({ metric, period_start: timestamp, used: z.int() })),
    quota_counters: z.array(
      z.object({
        metric,
        period_start: timestamp,
        period_end: timestamp,
        used: z.int(),
        limit: z.int().nullable().meta({ description: 'Null is unlimited.' }),
      }),
    ),
    tos_acceptances: z.array(
      z.object({
        version: z.string(),
        document_hash: z.string().meta({ description: 'SHA-256 of the published content, in hexadecimal digits.' }),
        source: z.string(),
        ip: z.string().nullable(),
        user_agent: z.string().nullable(),
        accepted_at: timestamp,
      }),
    ),
    members: z
      .array(z.object({ id: id('mem'), email: z.string(), role: z.enum(roles), joined_at: timestamp }))
      .optional()
      .meta({ description: 'Once somebody was invited.' }),
    invitations: z.array(invitationRecord).optional().meta({ description: 'Once there was one.' }),
    account_claims_initiated: z.array(z.unknown()).max(0).meta({ description: 'Always empty.' }),
  })
  .meta({ id: 'AccountExport' })
