import type { z } from 'zod'
import type { App } from '../app.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { GroupRow, MemberRow } from './queries.ts'
import { shownState } from './rules.ts'
import type { groupRecord } from './schema.ts'

export const titleContext = (id: Uuid) => `hold_groups.title:${id}` as const
export const descriptionContext = (id: Uuid) => `hold_groups.description:${id}` as const

export type GroupRecord = z.infer<typeof groupRecord>
type ShownMember = GroupRecord['requirements'][number]['members'][number]

/** `members`: those of its requirements, in any order. */
export function presentGroup({ sealer }: App, row: GroupRow, members: readonly MemberRow[], now: Date): GroupRecord {
  const byId = new Map(members.map((member) => [member.id, member]))
  return {
    id: encodeId('hgr', row.id),
    ...shownState(row, now),
    title: sealer.unseal(titleContext(row.id), row.titleSealed),
    description: row.descriptionSealed && sealer.unseal(descriptionContext(row.id), row.descriptionSealed),
    start_time: isoTime(row.startTime),
    end_time: isoTime(row.endTime),
    hold_expires_at: isoTimeOrNull(row.holdExpiresAt),
    hold_priority: row.holdPriority,
    require_free: row.requireFree,
    ...(row.renewUntil && { renewable: true, renew_until: isoTime(row.renewUntil) }),
    metadata: row.metadata,
    requirements: row.requirements.map(({ need, spare, members: ids }) => ({
      ...{ need, spare },
      members: ids.flatMap((id) => presentMember(byId.get(id), now) ?? []),
    })),
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
  }
}

/** A hold whose time is up shows as cancelled, and so does what was deleted. */
function presentMember(member: MemberRow | undefined, now: Date): ShownMember | undefined {
  if (!member) return undefined
  const isLapsed = member.status === 'hold' && member.holdExpiresAt !== null && member.holdExpiresAt <= now
  return {
    calendar_id: encodeId('cal', member.calendarId),
    agent_id: member.agentId && encodeId('agt', member.agentId),
    event_id: encodeId('evt', member.id),
    start_time: isoTime(member.startTime),
    end_time: isoTime(member.endTime),
    status: isLapsed || member.isRemoved ? 'cancelled' : member.status,
    ...(member.renewUntil && member.holdFence !== null && { hold_fence: member.holdFence }),
  }
}
