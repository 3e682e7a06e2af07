// Grants as the API shows them.
import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { GrantRow } from './grantQueries.ts'
import type { grantRecord } from './grantSchema.ts'

export const presentGrant = (row: GrantRow): z.infer<typeof grantRecord> => ({
  id: encodeId('avg', row.id),
  audience: row.audience,
  audience_cutoff_at: isoTimeOrNull(row.audienceCutoffAt),
  active: row.active,
  external_calendar_ids: row.calendarIds.toSorted().map((id) => encodeId('xcl', id)),
  agent_ids: row.agentIds.toSorted().map((id) => encodeId('agt', id)),
  created_at: isoTime(row.createdAt),
})
