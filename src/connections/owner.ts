// Whose connections are: each member's own are theirs alone. Owners and admins may see those of others, pause and end them.
import type { Actor } from '../actors/actor.ts'
import { isAtLeast } from '../actors/roles.ts'
import type { Uuid } from '../shapes/ids.ts'

type Owned = { memberId: Uuid | null }

export const isOwn = ({ member }: Actor, { memberId }: Owned): boolean => memberId === (member?.id ?? null)

export const looksAfterOthers = ({ member }: Actor): boolean => member !== undefined && isAtLeast(member.role, 'admin')
