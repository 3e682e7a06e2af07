// The screens of the navigation, in its order.
import { isAtLeast, type Role } from '../service/roles.ts'
import { session } from '../service/session.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'

const screens: readonly { to: string; label: string; least?: Role }[] = [
  { to: '/start', label: texts.start },
  { to: '/calendar', label: texts.calendar },
  { to: '/find-a-time', label: texts.find.heading },
  { to: '/proposals', label: texts.proposals },
  { to: '/approvals', label: texts.approvals },
  { to: '/agents', label: texts.agents },
  { to: '/booking-pages', label: texts.booking.heading },
  { to: '/feeds', label: texts.feeds },
  { to: '/connections', label: texts.connectionsScreen },
  { to: '/webhooks', label: texts.webhooks },
  { to: '/changes', label: texts.changes },
  { to: '/keys', label: texts.keysScreen },
  { to: '/logs', label: texts.logs, least: 'developer' },
  { to: '/usage', label: texts.usage },
  { to: '/organization', label: texts.organization },
  { to: '/settings', label: texts.settings },
]

/** Without those that the role forbids. */
export const allowedScreens = ({ me } = session.get()) =>
  screens.filter(({ least = 'viewer' }) => !me || isAtLeast(me.member.role, least))

export const useScreens = () => allowedScreens(useStore(session))
