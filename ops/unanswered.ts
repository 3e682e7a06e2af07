// The line for a store that cannot be used as its variable says. Never shows the password of the address.
import { isUnreachable } from '../src/stores/failures.ts'

const hostsOf = (url: string): string => /^[^:]+:\/\/(?:[^/]*@)?([^/?]*)/.exec(url)?.[1] || 'localhost'

const unknownHost = ['ENOTFOUND', 'EAI_AGAIN']

/** Why Postgres could not be connected to; undefined where the error tells something else. */
export function databaseTrouble(url: string, error: unknown): string | undefined {
  const { code = '', name, message, syscall } = error as NodeJS.ErrnoException
  if (unknownHost.includes(code)) return `DATABASE_URL: ${hostsOf(url)} is not a host that is known here (${code}).`
  // Class 28: who may connect. 3D000: there is no such database.
  if (name === 'PostgresError' && /^(28...|3D000)$/.test(code)) return `DATABASE_URL: ${message}`
  if (!isUnreachable(error) && syscall !== 'connect') return undefined
  return `DATABASE_URL: ${hostsOf(url)} does not answer (${code}). Is Postgres running there?`
}

export const redisTrouble = (url: string): string =>
  `REDIS_URL: ${hostsOf(url)} does not answer. Is Redis running there?`
