import { z } from 'zod'
import { parseDatetime, timestamp } from '../shapes/datetimes.ts'

/** Goes into a header of our answers. */
const publishedVersion = z
  .string()
  .max(100)
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'expected visible ASCII characters')

/** The version a caller accepts, verbatim. */
export const tosVersion = z.string().min(1).max(100).meta({ example: '2026-11-01' })

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && parseDatetime(`${text}T00:00Z`) !== undefined
const effectiveAt = z
  .string()
  .refine((text) => isDate(text) || parseDatetime(text), 'expected a date or a datetime with an offset')
  .meta({ example: '2026-11-01' })

export const publishTermsBody = z
  .strictObject({
    version: publishedVersion,
    effective_at: effectiveAt,
    url: z.url({ protocol: /^https?$/, error: 'expected the address of the document' }).max(2_048),
    material: z.boolean(),
  })
  .meta({
    example: {
      version: '2026-11-01',
      effective_at: '2026-11-01',
      url: 'https://example.com/terms/2026-11-01',
      material: false,
    },
  })
export type PublishTermsBody = z.infer<typeof publishTermsBody>

export const acceptTermsBody = z
  .strictObject({ tos_version: tosVersion })
  .meta({ example: { tos_version: '2026-11-01' } })
export type AcceptTermsBody = z.infer<typeof acceptTermsBody>

export const termsManifest = z
  .object({
    version: z.string().meta({ example: '2026-11-01' }),
    effective_at: z.string().meta({ example: '2026-11-01' }),
    url: z.string().meta({ example: 'https://example.com/terms/2026-11-01' }),
    material: z.boolean().meta({ description: 'Existing customers must accept again.' }),
  })
  .meta({ id: 'TermsManifest' })

export const acceptedTerms = z.object({
  data: z.object({ accepted_terms_version: z.string().meta({ example: '2026-11-01' }), accepted_terms_at: timestamp }),
})
