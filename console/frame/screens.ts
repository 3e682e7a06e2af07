// The screens of the navigation, in its order. A screen stands here once it exists.
import { texts } from '../texts.ts'

export const screens: readonly { to: string; label: string }[] = [
  { to: '/start', label: texts.start },
  { to: '/calendar', label: texts.calendar },
  { to: '/find-a-time', label: texts.find.heading },
  { to: '/proposals', label: texts.proposals },
  { to: '/agents', label: texts.agents },
  { to: '/booking-pages', label: texts.booking.heading },
  { to: '/webhooks', label: texts.webhooks },
  { to: '/keys', label: texts.keysScreen },
  { to: '/usage', label: texts.usage },
  { to: '/settings', label: texts.settings },
]
