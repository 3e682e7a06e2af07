import type { z } from 'zod'
import { encodeId } from '../ids.ts'
import { present } from '../wire.ts'
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
  createdAt: present(row.createdAt),
  updatedAt: present(row.updatedAt),
})
