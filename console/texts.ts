// Every text of the console, by screen in `texts/`. `?pseudo=rtl` puts each into brackets, which shows any text from elsewhere.
import { admin } from './texts/admin.ts'
import { agents } from './texts/agents.ts'
import { approvals } from './texts/approvals.ts'
import { booking } from './texts/booking.ts'
import { calendar } from './texts/calendar.ts'
import { calendars } from './texts/calendars.ts'
import { changes } from './texts/changes.ts'
import { connections } from './texts/connections.ts'
import { delivery } from './texts/delivery.ts'
import { entrance } from './texts/entrance.ts'
import { eventDetails } from './texts/eventDetails.ts'
import { feeds } from './texts/feeds.ts'
import { find } from './texts/find.ts'
import { frame } from './texts/frame.ts'
import { hints } from './texts/hints.ts'
import { keys } from './texts/keys.ts'
import { logs } from './texts/logs.ts'
import { parts } from './texts/parts.ts'
import { people } from './texts/people.ts'
import { proposals } from './texts/proposals.ts'
import { ruleDays } from './texts/ruleDays.ts'
import { settings } from './texts/settings.ts'
import { start } from './texts/start.ts'
import { usage } from './texts/usage.ts'
import { webhooks } from './texts/webhooks.ts'

const english = {
  admin,
  booking,
  delivery,
  eventDetails,
  find,
  hints,
  ruleDays,
  ...frame,
  ...entrance,
  ...parts,
  ...start,
  ...webhooks,
  ...keys,
  ...proposals,
  ...usage,
  ...settings,
  ...agents,
  ...calendars,
  ...calendar,
  ...approvals,
  ...people,
  ...logs,
  ...changes,
  ...feeds,
  ...connections,
}

export const isPseudo = typeof location !== 'undefined' && new URLSearchParams(location.search).get('pseudo') === 'rtl'

function bracketed<T>(text: T): T {
  if (typeof text === 'string') return `[${text}]` as T
  if (typeof text === 'function') return ((...words: unknown[]) => bracketed(text(...words))) as T
  if (Array.isArray(text)) return text.map(bracketed) as T
  return Object.fromEntries(Object.entries(text as object).map(([name, value]) => [name, bracketed(value)])) as T
}

export const texts: typeof english = isPseudo ? bracketed(english) : english
