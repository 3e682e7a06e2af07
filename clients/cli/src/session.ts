// The key of a command: the one of the variables, or that of the stored sign-in in use.
import { AgentCalendar, type AgentCalendarOptions } from '../../typescript/src/entry.ts'
import { SignInError, UsageError } from './failures.ts'
import { allSignIns, defaultName, type Session, signInInUse } from './signIns.ts'

export const defaultUrl = 'http://localhost:3000'

/** The address that an option or a variable names. */
export function askedAddress(option: string | undefined): string | undefined {
  const text = option ?? (process.env.AGENT_CALENDAR_URL || undefined)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (/^https?:$/.test(url?.protocol ?? '') && !url!.username && !url!.password) return text
  const name = option === undefined ? 'AGENT_CALENDAR_URL' : '--url'
  throw new UsageError(`${name}: expected an address such as ${defaultUrl}, with http:// or https:// and no password.`)
}

/** A kept key goes only to the service that it was kept for. */
export function currentSession(url: string | undefined): Session {
  const asked = askedAddress(url)
  const key = process.env.AGENT_CALENDAR_KEY
  const kept = signInInUse()
  if (key) return { url: asked ?? kept?.url ?? defaultUrl, key, kind: 'AGENT_CALENDAR_KEY' }
  if (!kept) throw notSignedIn()
  if (asked !== undefined && !isSameService(asked, kept.url)) {
    const there = allSignIns().find((one) => isSameService(asked, one.url))
    const remedy = there ? `agent-calendar auth switch ${there.name}` : `agent-calendar login --url ${asked}`
    throw new SignInError(`You are signed in to ${kept.url}, not to ${asked}. Sign in there: ${remedy}`)
  }
  if (kept.expires_at && Date.parse(kept.expires_at) <= Date.now()) {
    const named = kept.name === defaultName ? '' : ` --as ${kept.name}`
    throw new SignInError(`Your session has ended. Sign in again: agent-calendar login${named} --email …`)
  }
  return kept
}

function notSignedIn(): SignInError {
  const [other] = allSignIns()
  return other
    ? new SignInError(`No sign-in is in use. Choose one, such as: agent-calendar auth switch ${other.name}`)
    : new SignInError('You are not signed in. Sign in with agent-calendar login, or set AGENT_CALENDAR_KEY.')
}

function isSameService(one: string, other: string): boolean {
  try {
    return new URL(one).origin === new URL(other).origin
  } catch {
    return false
  }
}

export const openClient = ({ url, key }: Session, more: AgentCalendarOptions = {}) =>
  new AgentCalendar({ baseUrl: url, apiKey: key, userAgent: 'agent-calendar-cli', ...more })
