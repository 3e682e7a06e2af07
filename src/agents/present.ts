import type { z } from 'zod'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { AgentRow } from './queries.ts'
import type { agentRecord } from './schema.ts'

export const presentAgent = (row: AgentRow): z.infer<typeof agentRecord> => ({
  id: encodeId('agt', row.id),
  orgId: encodeId('org', row.orgId),
  name: row.name,
  type: row.type,
  description: row.description,
  status: row.status,
  metadata: row.metadata,
  createdAt: isoTime(row.createdAt),
  updatedAt: isoTime(row.updatedAt),
})
