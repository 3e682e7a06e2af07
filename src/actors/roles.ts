// The roles of members: each may do what the ones after it may, and more.

/** The highest first. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const
export type Role = (typeof roles)[number]

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least)

/** Those that may do what this one may. */
export const rolesFrom = (least: Role): readonly Role[] => roles.filter((role) => isAtLeast(role, least))
