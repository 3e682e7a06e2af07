import type { z } from 'zod'
import type { Member } from '../actors/actor.ts'
import { isAtLeast } from '../actors/roles.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { MemberRow, MembershipRow } from './queries.ts'
import type { memberRecord, membershipList } from './schema.ts'

/** Whether somebody has a second factor, and when they were last seen, is for those who look after members. */
export const presentMember = (row: MemberRow, asker: Member): z.infer<typeof memberRecord> => ({
  id: encodeId('mem', row.id),
  email: row.email,
  role: row.role,
  joined_at: isoTime(row.joinedAt),
  you: row.id === asker.id,
  ...(isAtLeast(asker.role, 'admin') && { second_factor: row.hasFactor, last_seen_at: isoTimeOrNull(row.lastSeenAt) }),
})

export const presentMembership = (row: MembershipRow): z.infer<typeof membershipList>['data'][number] => ({
  org: { id: encodeId('org', row.orgId), name: row.name, plan: row.plan },
  role: row.role,
  member_id: encodeId('mem', row.id),
  require_second_factor: row.requiresFactor,
})

export const presentSelf = ({ id, role }: Pick<Member, 'id' | 'role'>) => ({ id: encodeId('mem', id), role })
