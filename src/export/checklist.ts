// The first steps of an organization, and which of them are done: from what exists now, each found by one look at an index.
import { z } from 'zod'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { isVerified } from '../organizations/rules.ts'
import { encodeId } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'

export const checklist = z
  .object({
    address: z.boolean().meta({ description: 'The address of the organization is proven.' }),
    key: z.boolean().meta({ description: 'There is an API key.' }),
    agent: z.boolean(),
    calendar: z.boolean(),
    event: z.boolean().meta({ description: 'There is an event that was not imported.' }),
    webhook: z.boolean(),
    delivery: z.boolean().meta({ description: 'A receiver has accepted a delivery.' }),
  })
  .meta({
    id: 'Checklist',
    example: { address: true, key: true, agent: true, calendar: true, event: false, webhook: false, delivery: false },
  })
type Checklist = z.infer<typeof checklist>

export async function checklistOf(app: App, { orgId }: Actor): Promise<Checklist> {
  const { sql } = app
  const [organization, [found]] = await Promise.all([
    requireOrganization(app, encodeId('org', orgId)),
    own<Omit<Checklist, 'address'>>(sql, orgId)`
    select ${askedBy(sql, orgId)},
      exists (select from api_keys where org_id = ${orgId} and revoked_at is null) as key,
      exists (select from agents where org_id = ${orgId} and status <> 'decommissioned') as agent,
      exists (select from calendars where org_id = ${orgId} and deleted_at is null) as calendar,
      exists (
        select from calendars
        where org_id = ${orgId} and deleted_at is null
          and confirmed_events + tentative_events + cancelled_events + hold_events > 0) as event,
      exists (select from webhook_subscriptions where org_id = ${orgId} and deleted_at is null) as webhook,
      exists (select from webhook_delivery_counts where org_id = ${orgId} and delivered > 0) as delivery`,
  ])
  const { key, agent, calendar, event, webhook, delivery } = found!
  return { address: isVerified(organization), key, agent, calendar, event, webhook, delivery }
}
