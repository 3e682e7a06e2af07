// Which calendars a group takes, and what is left of it. Pure.
import type { Uuid } from '../shapes/ids.ts'
import type { groupReasons, groupStatuses } from './schema.ts'

export type GroupStatus = (typeof groupStatuses)[number]
export type GroupReason = (typeof groupReasons)[number]

/** `yielding`: holds of a lower priority would end. */
type Answer = 'free' | 'yielding' | 'taken'

/**
 * As many as are needed: those where nothing yields, then those where something does, each in the order listed. Spares are taken
 * only where nothing yields. Undefined: there are too few.
 */
export function chooseCalendars<Calendar extends { answer: Answer }>(
  calendars: readonly Calendar[],
  { need, spare }: { need: number; spare: number },
): Calendar[] | undefined {
  const free = calendars.filter(({ answer }) => answer === 'free')
  const yielding = calendars.filter(({ answer }) => answer === 'yielding')
  const needed = [...free, ...yielding].slice(0, need)
  return needed.length < need ? undefined : [...needed, ...free.slice(need, need + spare)]
}

type GroupState = { status: GroupStatus; reason: GroupReason | null; holdExpiresAt: Date | null }

/** From this instant the group counts as expired, whether or not its timer has fired. */
export const isGroupLapsed = ({ status, holdExpiresAt }: GroupState, now: Date): boolean =>
  status === 'held' && holdExpiresAt !== null && holdExpiresAt <= now

export const shownState = (group: GroupState, now: Date): Pick<GroupState, 'status' | 'reason'> =>
  isGroupLapsed(group, now) ? { status: 'expired', reason: 'lapsed' } : { status: group.status, reason: group.reason }

/** Whether a group can still be confirmed, released or renewed. */
export function decideEndOfGroup(group: GroupState, now: Date): 'granted' | 'hold_expired' | 'not_a_hold' {
  const { status, reason } = shownState(group, now)
  if (status === 'held') return 'granted'
  return reason === 'lapsed' ? 'hold_expired' : 'not_a_hold'
}

/** `members`: identifiers of events, in the order in which they were chosen. */
export type Requirement = { need: number; spare: number; members: readonly Uuid[] }

/** Whether every requirement still has as many living members as it needs. */
export const hasEnough = (requirements: readonly Requirement[], isLiving: (eventId: Uuid) => boolean): boolean =>
  requirements.every(({ need, members }) => members.filter(isLiving).length >= need)

type Living = { id: Uuid; calendarId: Uuid }

/**
 * The members that become confirmed: of each requirement the chosen ones, then the first of the others. Undefined: a calendar is
 * chosen that holds no living member, or too many of one requirement are.
 */
export function chooseMembers<Member extends Living>(
  requirements: readonly Requirement[],
  living: readonly Member[],
  chosen: ReadonlySet<Uuid>,
): Member[] | undefined {
  const byId = new Map(living.map((member) => [member.id, member]))
  let found = 0
  const taken: Member[] = []
  for (const { need, members } of requirements) {
    const left = members.flatMap((id) => byId.get(id) ?? [])
    const preferred = left.filter(({ calendarId }) => chosen.has(calendarId))
    if (preferred.length > need) return undefined
    found += preferred.length
    const others = left.filter((member) => !preferred.includes(member)).slice(0, need - preferred.length)
    taken.push(...left.filter((member) => preferred.includes(member) || others.includes(member)))
  }
  return found < chosen.size ? undefined : taken
}
