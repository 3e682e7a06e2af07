import { isAtLeast, type Role, roles } from '../../service/roles.ts'
import { texts } from '../../texts.ts'

/** The roles that a member of this role may give: up to the own one. */
export const rolesUpTo = (own: Role): readonly { value: Role; label: string }[] =>
  roles.filter((role) => isAtLeast(own, role)).map((value) => ({ value, label: texts.roles[value] }))
