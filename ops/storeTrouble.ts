// One line for a store that cannot be used with the address in its variable. It never shows the password.
import { isPassing, isUnreachable } from '../src/stores/failures.ts'

const hostsOf = (url: string): string => /^[^:]+:\/\/(?:[^/]*@)?([^/?]*)/.exec(url)?.[1] || 'localhost'

const unknownHost = ['ENOTFOUND', 'EAI_AGAIN']

/** Why the connection to Postgres failed; undefined when the error has another cause. */
export function databaseTrouble(url: string, error: unknown): string | undefined {
  const { code = '', name, message, syscall } = error as NodeJS.ErrnoException
  if (unknownHost.includes(code))
    return `DATABASE_URL: the host ${hostsOf(url)} is unknown (${code}). Correct its name.`
  if (name === 'PostgresError') return isPassing(error) ? `DATABASE_URL: ${message}` : undefined
  if (!isUnreachable(error) && syscall !== 'connect') return undefined
  return `DATABASE_URL: ${hostsOf(url)} does not answer (${code}). Is Postgres running there?`
}

export const redisTrouble = (url: string): string =>
  `REDIS_URL: ${hostsOf(url)} does not answer. Is Redis running there?`
