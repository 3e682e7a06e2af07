// The role of the person, and whether it allows something. The service decides; the screens leave out what it would refuse.
import type { CurrentSession } from '../../clients/typescript/src/entry.ts'
import { useStore } from '../state/useStore.ts'
import { session } from './session.ts'

export type Role = CurrentSession['member']['role']

/** The highest first. */
export const roles: readonly Role[] = ['owner', 'admin', 'developer', 'viewer']

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least)

/** On the screens of a person who is not signed in, nothing is left out. */
export function useMay(least: Role): boolean {
  const { me } = useStore(session)
  return !me || isAtLeast(me.member.role, least)
}
