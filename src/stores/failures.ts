// How statements fail, and what that means: whether Postgres is there, and whether anything happened.
import { overloaded, type ServiceError } from '../errors.ts'
import { type Handling, handlingOf } from './sqlStates.ts'

/** Errors of statements that had no effect. */
const undone = new WeakSet<object>()
/** Errors of statements that were not answered in time. */
const late = new WeakSet<object>()

/** A row that was not asked for. It answers another statement, so no caller gets it. */
export class ForeignAnswer extends Error {}

const nothing = 'Nothing was written: try again.'
const unsure =
  'A write may or may not have happened: repeat it with the same Idempotency-Key, or read before you repeat it.'

export const foreignError = (cause: ForeignAnswer) =>
  Object.assign(overloaded(`The database returned the result of another statement, which was discarded. ${unsure}`), {
    cause,
  })

export function lateError(isKnownUndone: boolean, cause?: unknown) {
  const outcome = isKnownUndone ? nothing : unsure
  const error = Object.assign(overloaded(`The database did not answer in time. ${outcome}`), { cause })
  late.add(error)
  if (isKnownUndone) undone.add(error)
  return error
}

/** Whether the statement was not answered in time, as opposed to failing. */
export const isLate = (error: unknown): boolean => late.has(error as object)

/** Errors of the driver and of the socket: the way to Postgres broke, or never was. */
const brokenWays = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'STANDBY',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
])

const codeOf = (error: unknown): string => String((error as { code?: string } | undefined)?.code)

const isOfPostgres = (error: unknown): boolean => (error as Error | undefined)?.name === 'PostgresError'

/** Statements for which there was no connection. */
const unconnected = new WeakSet<object>()

/** For a statement that was never sent because no connection could be made. */
export function markUnconnected(error: unknown): void {
  unconnected.add(error as object)
  undone.add(error as object)
}

function handlingOfError(error: unknown): Handling | undefined {
  // A server that takes no connections says so in many ways.
  if (unconnected.has(error as object)) return 'away'
  if (isOfPostgres(error)) return handlingOf(codeOf(error))
  return brokenWays.has(codeOf(error)) ? 'away' : undefined
}

/** Postgres ended the statement by its `statement_timeout`, or an operator did. */
export const isTimeout = (error: unknown): boolean => handlingOfError(error) === 'late'

/** Whether Postgres went away or is not there, as opposed to refusing the statement. */
export const isUnreachable = (error: unknown): boolean => handlingOfError(error) === 'away'

/** The store's own trouble: nothing is wrong with the statement or its rows, and it may succeed later. */
export const isPassing = (error: unknown): boolean => {
  const handling = handlingOfError(error)
  return handling === 'away' || handling === 'short' || handling === 'collided'
}

/** The server behind the connection takes no writes any more: another connection may lead to one that does. */
export const isReadOnly = (error: unknown): boolean => isOfPostgres(error) && codeOf(error) === '25006'

const isKnownUndone = (error: unknown): boolean => undone.has(error as object) || isReadOnly(error)

/** The error that a caller gets for the error of a statement; undefined for a defect. */
export function storeRefusal(error: unknown): ServiceError | undefined {
  switch (handlingOfError(error)) {
    case 'away':
      return overloaded(`The database cannot be reached at the moment. ${isKnownUndone(error) ? 'Try again.' : unsure}`)
    case 'short':
      return overloaded(`The database cannot do this at the moment. ${nothing}`)
    case 'collided':
      return overloaded(`Too many concurrent changes. ${nothing}`)
    case 'late':
      return lateError(true, error)
    default:
      return undefined
  }
}

/** The row exists already: another change inserted it first. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505'

/** Another change inserted the row first, into the table of this primary key. */
export const isDuplicateIn = (error: unknown, constraint: string): boolean =>
  isDuplicate(error) && (error as { constraint_name?: string }).constraint_name === constraint

/** The check that a row would violate; undefined for any other error. */
export const violatedIn = (error: unknown): string | undefined =>
  codeOf(error) === '23514' ? (error as { constraint_name?: string }).constraint_name : undefined

/** Two changes were in each other's way, such as locks in opposite order: Postgres ended one, which may try again. */
export const isCollision = (error: unknown): boolean => handlingOfError(error) === 'collided'

/** Postgres undid the statement because it was a dry run. */
export const isDryRunEnd = (error: unknown): boolean => codeOf(error) === 'AC001'

/** Postgres refused the statement, so it had no effect. After any other error it may have had one. */
export const isRolledBack = (error: unknown): boolean =>
  isOfPostgres(error) && (!isUnreachable(error) || isReadOnly(error))

/** The statement had no effect: Postgres refused it, or ended it in time, or it was never sent. */
export const isUndone = (error: unknown): boolean => isOfPostgres(error) || undone.has(error as object)
