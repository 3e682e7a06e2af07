// How a refused request is shown: decisions without a page.
import { ApiError } from '../../clients/typescript/src/entry.ts'

/** A stretch, or a moment of the field `param` as the service writes it. */
export type OtherTime = { start: string; end: string } | { param: string; at: string }

type Refusal = {
  /** The words of the service, unchanged. */
  message: string | undefined
  requestId: string | null
  param: string | null
  /** A plan allows more. */
  needsPlan: boolean
  /** Whether the same request may succeed later, and after how many seconds. */
  again: boolean
  waitSeconds: number
  /** Somebody else changed the record. */
  isStale: boolean
  /** Free times instead of the refused one, or moments instead of a time that clocks skip or repeat. */
  otherTimes: readonly OtherTime[]
  /** The password was right, and a code is needed, too. */
  needsCode: boolean
  /** Other terms are current than those that were accepted. */
  isStaleTerms: boolean
}

/** The browser has no connection, so nothing was sent. */
export class OfflineError extends Error {}

/** The client wraps it as the cause of its own error. */
export const isOffline = (error: unknown): boolean =>
  error instanceof OfflineError || (error instanceof Error && error.cause instanceof OfflineError)

const unanswered: Refusal = {
  message: undefined,
  requestId: null,
  param: null,
  needsPlan: false,
  again: true,
  waitSeconds: 0,
  isStale: false,
  otherTimes: [],
  needsCode: false,
  isStaleTerms: false,
}

export function refusalOf(error: unknown): Refusal {
  if (isOffline(error)) return { ...unanswered, again: false }
  if (!(error instanceof ApiError)) return unanswered
  const { message, requestId, param, status, type, details, retryAfterSeconds, suggestions } = error
  return {
    message,
    requestId,
    param,
    needsPlan: type === 'plan_required' || type === 'quota_exceeded',
    again: status === 429 || status >= 500,
    waitSeconds: status === 429 ? (retryAfterSeconds ?? 1) : 0,
    isStale: status === 412,
    otherTimes: details.alternatives ?? suggestions.map((at) => ({ param: param ?? '', at })),
    needsCode: error.code === 'second_factor_required',
    isStaleTerms: type === 'tos_version_stale',
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Whether a refusal is about this field: `working_hours.mon.start` is about `working_hours`. */
export const isAbout = (param: string | null, field: string): boolean =>
  param !== null && (param === field || param.startsWith(`${field}.`) || param.startsWith(`${field}[`))

/** The fields that a person changed: only these are sent. */
export function changes<T extends Record<string, unknown>>(before: T, after: T): Partial<T> {
  const isSame = (name: string) => JSON.stringify(before[name]) === JSON.stringify(after[name])
  return Object.fromEntries(Object.entries(after).filter(([name]) => !isSame(name))) as Partial<T>
}
