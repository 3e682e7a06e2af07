// The requests to webhooks, as the reference shows them. A test compares them with real ones.
import { z } from 'zod'
import { agentRecord } from '../../src/agents/schema.ts'
import { approvalRecord } from '../../src/approvals/schema.ts'
import { eventRecord } from '../../src/events/recordSchema.ts'
import { groupRecord } from '../../src/holdGroups/schema.ts'
import { fullProposalRecord, proposalRecord, responseKinds } from '../../src/proposals/schema.ts'
import { laterTimestamp, timestamp } from '../../src/shapes/datetimes.ts'
import { exampleId, id } from '../../src/shapes/fields.ts'
import type { EventType } from '../../src/webhooks/catalog.ts'
import { prose } from '../http/prose.ts'

export type WebhookEvent = {
  when: string
  more: string | undefined
  payload: z.ZodObject
  example: Record<string, unknown>
}

/** The example of a payload consists of the examples of its required fields. */
const sent = (when: string, fields: z.core.$ZodLooseShape, more?: string): WebhookEvent => {
  const payload = z.object(fields)
  const examples = Object.entries(payload.shape).flatMap(([name, field]) => {
    const example = (field as z.ZodType).meta()?.example
    return example === undefined ? [] : [[name, example]]
  })
  return { when, more, payload, example: Object.fromEntries(examples) }
}

const calendarAndEvent = { calendar_id: id('cal'), event: eventRecord }
const calendarAndId = { calendar_id: id('cal'), event_id: id('evt') }
const moment = {
  event_id: id('evt'),
  calendar_id: id('cal'),
  title: z.string().meta({ example: 'Planning' }),
  start_time: timestamp,
  end_time: laterTimestamp,
  occurrence_start: timestamp
    .optional()
    .meta({ description: 'Only for a series: the start of the occurrence that these times belong to.' }),
}
const linkOf = (...statuses: [string, ...string[]]) =>
  z
    .object({ id: id('csl'), calendar_id: id('cal'), status: z.enum(statuses) })
    .meta({ example: { id: exampleId('csl'), calendar_id: exampleId('cal'), status: statuses[0] } })
const proposalId = { proposal_id: id('spr') }
const resolvedSlot = proposalRecord.shape.resolved_slot.unwrap()

export const webhookEvents: Record<EventType, WebhookEvent> = {
  'agent.created': sent('An agent was registered', { agent: agentRecord }),
  'agent.updated': sent('An agent was changed', { agent: agentRecord }, 'Decommissioning an agent sends nothing.'),
  'event.created': sent(
    'An event other than a hold was created, or a deleted one restored',
    {
      ...calendarAndEvent,
      booking_page_id: id('bkp').optional().meta({ description: 'Only for a booking: the page on which it was made.' }),
      restored: z
        .literal(true)
        .optional()
        .meta({ description: 'Only if it was deleted before, and is back under its id.' }),
    },
    'By a request, a booking or a resolved proposal. Imported events send nothing.',
  ),
  'event.updated': sent(
    'An event was changed, or one occurrence of a series cancelled or restored',
    calendarAndEvent,
    'Carries the whole event; for a cancelled occurrence, the series with its start in `recurrenceExdates`.',
  ),
  'event.deleted': sent(
    'An event, or a whole series, was deleted',
    calendarAndId,
    'Deleting a calendar sends nothing for its events.',
  ),
  'event.started': sent(
    'The start of a confirmed event was reached',
    moment,
    prose(
      'For a series, once per occurrence. An event that was moved, cancelled or deleted before sends nothing,',
      'nor does one that is created after its start.',
    ),
  ),
  'event.ended': sent(
    'The end of a confirmed event was reached',
    moment,
    'For a series, once per occurrence. An event that was moved, cancelled or deleted before sends nothing.',
  ),
  'event.reminder': sent(
    'A reminder of a confirmed event came due',
    { ...moment, reminder_minutes: z.int().meta({ description: 'Minutes before the start.', example: 10 }) },
    prose(
      "One for each of the event's own reminders, or else the calendar's, or else 10 minutes before the start;",
      'for a series, per occurrence.',
    ),
  ),
  'event.hold_created': sent(
    'A hold was placed',
    calendarAndEvent,
    'The events of holds that it ended are sent before it.',
  ),
  'event.hold_expired': sent('A hold ran out, or a hold with a higher priority took its place', calendarAndId),
  'event.hold_released': sent('A hold was released', calendarAndId),
  'event.hold_confirmed': sent(
    'A hold was confirmed',
    calendarAndEvent,
    'The event keeps its id; `event.created` is not sent.',
  ),
  'proposal.created': sent(
    'A proposal was made',
    { proposal: fullProposalRecord },
    'Its slots have the ids that participants select; there are no responses yet.',
  ),
  'proposal.responded': sent('A participant responded', {
    ...proposalId,
    agent_id: id('agt'),
    response: z.enum(responseKinds).meta({ example: 'accept' }),
  }),
  'proposal.confirmed': sent(
    'A slot was chosen and its event created',
    { ...proposalId, resolved_slot: resolvedSlot, created_event_id: id('evt') },
    '`event.created` is sent before it.',
  ),
  'proposal.cancelled': sent('A proposal was cancelled, or every participant had declined', {
    ...proposalId,
    reason: z.enum(['organizer_cancelled', 'all_declined']).meta({ example: 'organizer_cancelled' }),
  }),
  'proposal.expired': sent('A proposal was still pending when it expired', proposalId, 'At its `expires_at`.'),
  'webhook.deactivated': sent(
    'Another webhook of the organization was switched off',
    {
      webhook_id: id('whk'),
      url: z.string().meta({ example: 'https://example.com/hook' }),
      reason: z.literal('consecutive_failures').meta({ example: 'consecutive_failures' }),
    },
    'After 50 failed attempts in a row. The webhook that is switched off does not receive it.',
  ),
  'approval.requested': sent(
    'A request of an agent key waits for the decision of a person',
    { approval: approvalRecord },
    'Only if the approver is `link`, `approval.url` is the address that was mailed. It is its own credential.',
  ),
  'approval.decided': sent(
    'A request of an agent key was approved, rejected, refused after its approval, or not decided in time',
    { approval: approvalRecord },
  ),
  'hold_group.created': sent(
    'A hold group was placed',
    { hold_group: groupRecord },
    'The events of its holds are sent before it.',
  ),
  'hold_group.confirmed': sent(
    'A hold group was confirmed, or created with `confirm`',
    { hold_group: groupRecord },
    'The events of its members are sent before it.',
  ),
  'hold_group.released': sent(
    'A hold group was released',
    { hold_group: groupRecord },
    'The events of its holds are sent before it.',
  ),
  'hold_group.expired': sent(
    'A hold group ended by itself',
    { hold_group: groupRecord },
    prose(
      '`reason` says why: it ran out (`lapsed`), holds with a higher priority took too many of its places (`preempted`),',
      'or too few of its calendars are left (`calendar_gone`). The events of its holds are sent before it.',
    ),
  ),
  'connection_link.completed': sent('A human connected their calendar through a link', {
    connection_link: linkOf('completed'),
  }),
  'connection_link.ended': sent(
    'A link ended without a connection',
    { connection_link: linkOf('declined', 'cancelled', 'expired') },
    'Its human declined, it was cancelled or replaced by another one, or its time is up.',
  ),
  'availability_source.interrupted': sent(
    'Calendars of a human whose busy time counts for an agent are no longer read',
    { agent_id: id('agt') },
    'Their connection asks for consent, is paused, or has ended. One for each agent with a grant; it names neither the human nor the account.',
  ),
  'availability_source.restored': sent(
    'Calendars of a human whose busy time counts for an agent are read again',
    { agent_id: id('agt') },
    'One for each agent with a grant.',
  ),
}

export const deliveryHeaders = (type: string) =>
  z.object({
    'X-Signature': z
      .string()
      .regex(/^sha256=[0-9a-f]{64}$/)
      .meta({
        description: prose(
          'HMAC-SHA256 with the secret of the webhook over X-Timestamp, a full stop and the raw body.',
          'Compare in constant time.',
        ),
        example: `sha256=${'0123456789abcdef'.repeat(4)}`,
      }),
    'X-Timestamp': z.string().regex(/^\d+$/).meta({
      description: 'When it was signed, in seconds since 1970. Refuse deliveries older than five minutes.',
      example: '1796115600',
    }),
    'X-Delivery-Id': z
      .string()
      .regex(/^whd_/)
      .meta({
        description: 'The same for every attempt: if you have seen it, you have already received this delivery.',
        example: id('whd').meta()?.example as string,
      }),
    'X-Service-Event-Type': z.literal(type).meta({ example: type }),
  })

/** Headers that a delivery has if its webhook requests them. */
export const furtherHeaders = z.object({
  'X-Signature-Next': z
    .string()
    .meta({ description: 'Like `X-Signature`, with the new secret. Only while two secrets sign.' }),
  'webhook-id': z
    .string()
    .meta({ description: 'The same as `X-Delivery-Id`. Only with `standard`, like the next four headers.' }),
  'webhook-timestamp': z.string().meta({ description: 'As `X-Timestamp`.' }),
  'webhook-signature': z
    .string()
    .meta({ description: 'As defined by Standard Webhooks; while two secrets sign, it holds both signatures.' }),
  'X-Change-Id': z.string().meta({
    description: prose(
      'The change. Events of one change leave in order; between changes there is no order: skip what is older than the',
      'revision you have, or follow the change feed.',
    ),
  }),
  'X-Calendar-Revision': z
    .string()
    .meta({ description: 'The revision of the calendar after the change. Absent if there is none.' }),
  'X-Service-Test': z.string().meta({ description: '`true`: a requested test delivery.' }),
})
