// The stored sign-in, in a file that only this user can read.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AgentCalendar, type AgentCalendarOptions } from '../../typescript/src/entry.ts'
import { SignInError, UsageError } from './failures.ts'

export type Session = { url: string; key: string; kind: string; expires_at?: string }

export const defaultUrl = 'http://localhost:3000'

const folderOf = (variable: string, usual: string) =>
  join(process.env[variable] || join(homedir(), usual), 'agent-calendar')

export const sessionFile = () => join(folderOf('XDG_CONFIG_HOME', '.config'), 'session.json')
export const stateFile = (name: string) => join(folderOf('XDG_STATE_HOME', '.local/state'), name)

/** Other users can never read it, and a crash leaves the old one. */
export function writePrivately(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

export function readPrivate<T>(file: string): T | undefined {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SignInError(`${file} cannot be read: ${(error as Error).message}. Sign in again: agent-calendar login`)
  }
}

export const forgetSession = () => rmSync(sessionFile(), { force: true })

/** The address that an option or a variable names. */
export function askedAddress(option: string | undefined): string | undefined {
  const text = option ?? (process.env.AGENT_CALENDAR_URL || undefined)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (/^https?:$/.test(url?.protocol ?? '') && !url!.username && !url!.password) return text
  const name = option === undefined ? 'AGENT_CALENDAR_URL' : '--url'
  throw new UsageError(`${name}: expected an address such as ${defaultUrl}, with http:// or https:// and no password.`)
}

/** The kept key goes only to the service that it was kept for. */
export function currentSession(url: string | undefined): Session {
  const asked = askedAddress(url)
  const key = process.env.AGENT_CALENDAR_KEY
  const kept = readPrivate<Session>(sessionFile())
  if (key) return { url: asked ?? kept?.url ?? defaultUrl, key, kind: 'AGENT_CALENDAR_KEY' }
  if (!kept)
    throw new SignInError('You are not signed in. Sign in with agent-calendar login, or set AGENT_CALENDAR_KEY.')
  if (asked !== undefined && !isSameService(asked, kept.url)) {
    throw new SignInError(
      `You are signed in to ${kept.url}, not to ${asked}. Sign in there: agent-calendar login --url ${asked}`,
    )
  }
  if (kept.expires_at && Date.parse(kept.expires_at) <= Date.now()) {
    throw new SignInError('Your session has ended. Sign in again: agent-calendar login --email …')
  }
  return kept
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
