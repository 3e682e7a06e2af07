import { ChangeFeed } from './changeFeed.ts'
import { Groups } from './generated/groups.ts'
import { type Connection, openSend } from './send.ts'

export type AgentCalendarOptions = {
  /** An API key (`svc_sk_…`, `svc_ak_…`) or the token of a sign-in. Default: the variable AGENT_CALENDAR_KEY. */
  apiKey?: string
  /** Where the service is. Default: the variable AGENT_CALENDAR_URL, else http://localhost:3000. */
  baseUrl?: string
  /** After the first attempt. Default: 2. */
  maxRetries?: number
  /** The longest delay that is waited for when the service asks for one. Default: 30,000. */
  maxRetryDelayMs?: number
  /** For each attempt. Default: 60,000. */
  timeoutMs?: number
  /** A larger answer is an error. Default: 100 MB. */
  maxAnswerBytes?: number
  /** Another `fetch`, for example one with a proxy. */
  fetch?: typeof fetch
  /** Not possible in browsers. */
  userAgent?: string
}

/** A client of one service with one key. Each group of operations is a property: `calendar.events.create(…)`. */
export class AgentCalendar extends Groups {
  override readonly changes: ChangeFeed

  constructor(options: AgentCalendarOptions = {}) {
    const send = openSend(connectionOf(options))
    super(send)
    this.changes = new ChangeFeed(send)
  }
}

function connectionOf(options: AgentCalendarOptions): Connection {
  const key = options.apiKey ?? variable('AGENT_CALENDAR_KEY')
  // Fetch would name the key in its error.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey has characters that no key has.')
  const baseUrl = baseUrlOf(options.baseUrl ?? variable('AGENT_CALENDAR_URL') ?? 'http://localhost:3000')
  return {
    baseUrl,
    key,
    fetch: options.fetch ?? ((...given) => fetch(...given)),
    maxRetries: options.maxRetries ?? 2,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 30_000,
    timeoutMs: options.timeoutMs ?? 60_000,
    maxAnswerBytes: options.maxAnswerBytes ?? 100_000_000,
    userAgent: options.userAgent,
  }
}

/** The address of the MCP server leads to the API, too. */
function baseUrlOf(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new TypeError(
      `baseUrl is not an address: ${JSON.stringify(text)}. Write it like https://calendar.example.com.`,
    )
  }
  if (!['http:', 'https:'].includes(url.protocol)) throw new TypeError('baseUrl must begin with https:// or http://.')
  if (url.username || url.password) throw new TypeError('baseUrl must not contain a password. Give the key as apiKey.')
  return (url.origin + url.pathname).replace(/\/+(mcp\/*)?$/, '')
}

/** Browsers have no variables. */
const variable = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined
