// Who may change whom in an organization, and what follows for its address. Decisions at one revision of the organization.
import { isAtLeast, type Role } from '../actors/roles.ts'
import type { Uuid } from '../shapes/ids.ts'

export type Person = { id: Uuid; accountId: Uuid; role: Role; email: string }

/** `email`: that of the organization. `members`: the one who joined first comes first. */
type People = { email: string; members: readonly Person[] }

const ownersOf = ({ members }: People): Person[] => members.filter(({ role }) => role === 'owner')

/** Without this member the organization would have no owner. */
export const isLastOwner = (people: People, { id, role }: Person): boolean =>
  role === 'owner' && ownersOf(people).every((owner) => owner.id === id)

/**
 * The organization's address once this member is no owner any more: if it was theirs, that of the owner who has been there for longest.
 * Undefined: it stays.
 */
export function addressWithout(people: People, { id, email }: Person): string | undefined {
  if (people.email.toLowerCase() !== email) return undefined
  return ownersOf(people).find((owner) => owner.id !== id)?.email
}

/** The least role of a member who gives (also by an invitation), changes or removes this role: one that is at least as high. */
export const roleToTouch = (role: Role): Role => (isAtLeast('admin', role) ? 'admin' : role)
