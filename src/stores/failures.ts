// How statements fail, and what is known then: whether Postgres is there, and whether anything happened.
import { overloaded } from '../errors.ts'

/** Errors of statements that had no effect. */
const undone = new WeakSet<object>()

/** A row that was not asked for. It answers another statement, so no caller gets it. */
export class ForeignAnswer extends Error {}

const unsure =
  'A write may or may not have happened: repeat it with the same Idempotency-Key, or read before you repeat it.'

export const foreignError = (cause: ForeignAnswer) =>
  Object.assign(overloaded(`The database answered another question; that answer was discarded. ${unsure}`), { cause })

export function lateError(isKnownUndone: boolean, cause?: unknown) {
  const outcome = isKnownUndone ? 'Nothing was written: try again.' : unsure
  const error = Object.assign(overloaded(`The database did not answer in time. ${outcome}`), { cause })
  if (isKnownUndone) undone.add(error)
  return error
}

/** For a statement that was never sent. */
export const markUndone = (error: unknown): void => void undone.add(error as object)

/** Postgres ended the statement by its `statement_timeout`, or an operator did. */
export const isTimeout = (error: unknown) => (error as { code?: string })?.code === '57014'

const unreachableCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** Whether Postgres went away or is not there, as opposed to refusing the statement. */
export const isUnreachable = (error: unknown): boolean =>
  unreachableCodes.has(String((error as { code?: string })?.code))

/** For an error that `isUnreachable`. A statement that was sent may have been carried out before the connection broke. */
export const unreachableError = (error: object) =>
  overloaded(`The database cannot be reached at the moment. ${undone.has(error) ? 'Try again.' : unsure}`)

/** The row exists already: another change inserted it first. */
export const isDuplicate = (error: unknown): boolean => (error as { code?: string })?.code === '23505'

/** Another change inserted the row first, into the table of this primary key. */
export const isDuplicateIn = (error: unknown, constraint: string): boolean =>
  isDuplicate(error) && (error as { constraint_name?: string }).constraint_name === constraint

/** Two changes took locks in opposite order: Postgres ended one, which may try again. */
export const isDeadlock = (error: unknown): boolean =>
  ['40P01', '40001'].includes(String((error as { code?: string })?.code))

/** Postgres undid the statement because it was a dry run. */
export const isDryRunEnd = (error: unknown): boolean => (error as { code?: string })?.code === 'AC001'

/** Postgres refused the statement, so it had no effect. After any other error it may have had one. */
export const isRolledBack = (error: unknown): boolean =>
  (error as Error)?.name === 'PostgresError' && !isUnreachable(error)

/** The statement had no effect: Postgres refused it, or ended it in time, or it was never sent. */
export const isUndone = (error: unknown): boolean =>
  (error as Error)?.name === 'PostgresError' || undone.has(error as object)
