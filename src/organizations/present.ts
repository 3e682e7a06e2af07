import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { OrganizationRow } from './row.ts'
import type { organizationRecord } from './schema.ts'

export const presentOrganization = (row: OrganizationRow): z.infer<typeof organizationRecord> => ({
  id: encodeId('org', row.id),
  name: row.name,
  email: row.email,
  plan: row.plan,
  verification_status: row.verificationStatus,
  is_waitlisted: row.isWaitlisted,
  signup_source: row.signupSource,
  email_verified: row.emailVerified,
  accepted_terms_version: row.acceptedTermsVersion,
  accepted_terms_at: isoTimeOrNull(row.acceptedTermsAt),
  created_at: isoTime(row.createdAt),
  updated_at: isoTime(row.updatedAt),
})
