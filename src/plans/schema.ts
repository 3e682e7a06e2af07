import { z } from 'zod'
import { cataloguedLimits, publicPlanIds } from './plans.ts'

const cap = z.int().nullable().meta({ example: 50 })

const planRecord = z
  .object({
    id: z.enum(publicPlanIds).meta({ example: 'pro' }),
    name: z.string().meta({ example: 'Pro' }),
    tagline: z.string().meta({ example: 'For agents at work' }),
    price: z.int().nullable().meta({
      description: 'Per month, in the smallest unit of the currency; null: negotiated.',
      example: 4900,
    }),
    currency: z.string().nullable().meta({ example: 'usd' }),
    limits: z
      .object(
        Object.fromEntries(Object.keys(cataloguedLimits).map((name) => [name, cap])) as Record<
          keyof typeof cataloguedLimits,
          typeof cap
        >,
      )
      .nullable()
      .meta({ description: 'Null for one limit: unlimited. Null for all of `limits`: negotiated.' }),
    display_features: z.array(z.string()).meta({ description: 'For people. The limits of a plan are in `limits`.' }),
    recommended: z.boolean(),
    custom_pricing: z.literal(true).optional(),
    contact_url: z.string().meta({ format: 'uri' }).optional(),
  })
  .meta({ id: 'Plan' })
export type PlanRecord = z.infer<typeof planRecord>

export const planList = z.object({ plans: z.array(planRecord) })
