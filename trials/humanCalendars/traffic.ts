// Requests of the service to providers, and their outcomes: the one place where a goal sees and disturbs them.
import type { ProviderName } from '../../src/providers/rules.ts'

export type Asked = {
  provider: ProviderName
  method: string
  path: string
  authorization: string | undefined
  body: string
  /** When it arrived, in milliseconds of the real clock. */
  at: number
}

/** `drop`: it is carried out, and its answer is lost. The others are not carried out. */
export type Fate = 'pass' | 'drop' | 'throttle' | 'fail' | 'hang'

export type Traffic = {
  /** How long every provider takes to answer. */
  answerMs: number
  asked: Asked[]
  /** The outcome of a request. */
  fate: (asked: Asked) => Fate
  /** Notes a request that has arrived, and returns its outcome. */
  note(asked: Omit<Asked, 'at'>): Fate
}

export function openTraffic(): Traffic {
  const traffic: Traffic = {
    answerMs,
    asked: [],
    fate: () => 'pass',
    note(request) {
      const asked = { ...request, at: Date.now() }
      traffic.asked.push(asked)
      return traffic.fate(asked)
    },
  }
  return traffic
}

/** Unless the scene is being set. */
const answerMs = 200

/** It concerns events: not the consent, the tokens, the lists or the channels. */
export const isAboutEvents = ({ provider, path }: Asked): boolean =>
  provider === 'caldav' || (/\/events(\/|\?|$)/.test(path) && !path.endsWith('/watch'))

export const isWrite = (asked: Asked): boolean =>
  isAboutEvents(asked) && ['POST', 'PUT', 'PATCH', 'DELETE'].includes(asked.method)

/** Reads the busy time of calendars. */
export const isRead = ({ provider, method, path }: Asked): boolean =>
  provider === 'google'
    ? path.includes('/freeBusy')
    : provider === 'microsoft'
      ? path.includes('/calendarView/delta')
      : method === 'REPORT' || method === 'PROPFIND'
