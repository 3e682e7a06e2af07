import { z } from 'zod'
import { limitNames, planIds, plans, publicPlanIds } from '../plans/plans.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { id, queryBoolean, searchText } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

export const email = z
  .string()
  .max(320)
  .transform((text) => text.trim())
  .pipe(z.email('expected an e-mail address'))
  .meta({ format: 'email', example: 'owner@example.com' })

const cap = z.int().min(0).nullable()
/** The change feed keeps nothing for longer. */
const maxChangesDays = 30
const capOf = (name: (typeof limitNames)[number]) =>
  name === 'changes_retention_days' ? z.int().min(0).max(maxChangesDays).nullable() : cap
const limits = z
  .strictObject(
    Object.fromEntries(limitNames.map((name) => [name, capOf(name).optional()])) as Record<
      (typeof limitNames)[number],
      z.ZodOptional<typeof cap>
    >,
  )
  .meta({ description: 'Caps of a custom plan; null or absent is unlimited.' })
const requestsPerSecond = z.int().min(1).max(1_000_000)

export const createOrganizationBody = z
  .strictObject({
    name: z.string().min(1).max(255),
    email,
    plan: z.enum(publicPlanIds).default('free'),
    limits: limits.optional(),
    rate_limit_per_second: requestsPerSecond.optional(),
  })
  .meta({ example: { name: 'Example Robotics', email: 'owner@example.com', plan: 'pro' } })
export type CreateOrganizationBody = z.infer<typeof createOrganizationBody>

export const updateOrganizationBody = z
  .strictObject({
    plan: z.enum(publicPlanIds).optional(),
    limits: limits.optional(),
    rate_limit_per_second: requestsPerSecond.nullable().optional(),
    is_waitlisted: z.boolean().optional(),
  })
  .refine(
    (body) => Object.keys(body).length > 0,
    'give at least one of plan, limits, rate_limit_per_second, is_waitlisted',
  )
  .meta({ minProperties: 1, example: { plan: 'custom', limits: { agents: 200, calendars: 1000 } } })
export type UpdateOrganizationBody = z.infer<typeof updateOrganizationBody>

export const organizationListQuery = pageQuery().extend({
  email: z.string().max(320).optional(),
  query: searchText.optional().meta({ description: 'A part of the name or of the address, in upper or lower case.' }),
  plan: z.enum(planIds).optional(),
  is_waitlisted: queryBoolean.optional(),
})
export type OrganizationListQuery = z.infer<typeof organizationListQuery>

export const organizationRecord = z
  .object({
    id: id('org'),
    name: z.string().meta({ example: 'Example Robotics' }),
    email: z.string().meta({ format: 'email', example: 'owner@example.com' }),
    plan: z.enum(planIds),
    verification_status: z
      .enum(['unverified', 'verified'])
      .nullable()
      .meta({ description: 'For organizations that an agent signed up; null for others.', example: null }),
    is_waitlisted: z.boolean().meta({ example: false }),
    signup_source: z.string().meta({ example: 'admin' }),
    email_verified: z.boolean(),
    accepted_terms_version: z.string().nullable().meta({ example: '2026-11-01' }),
    accepted_terms_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Organization' })

const limitsInForce = z.object(
  Object.fromEntries(limitNames.map((name) => [name, z.int().nullable()])) as Record<
    (typeof limitNames)[number],
    z.ZodNullable<z.ZodInt>
  >,
)

/** `usage`: as its owner reads it. */
export const organizationDetail = (usage: z.ZodObject) =>
  z
    .object({
      org: organizationRecord,
      limits: limitsInForce.meta({ description: 'In force now; null is unlimited.', example: plans.pro.limits }),
      rate_limit_per_second: z.int().nullable().meta({ description: 'In force now; null is unlimited.', example: 50 }),
      usage,
    })
    .meta({ id: 'OrganizationDetail' })
