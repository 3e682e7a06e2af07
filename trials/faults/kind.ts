// Kinds of load that judge themselves: each keeps what it did and how it was answered, and at rest compares that with what the service
// shows and has told.
import type postgres from 'postgres'
import type { Client } from './client.ts'
import type { Findings } from './findings.ts'
import type { Snapshot } from './snapshot.ts'
import type { Tenant } from './tenants.ts'

export type Kind = {
  /** How often it is told, as the weight of a story. */
  weight: number
  tell(tenant: Tenant): Promise<void>
  /** At rest. Forgets the things that it has judged. */
  judge(findings: Findings, snapshot: Snapshot): Promise<void>
}

export type Site = {
  client: Client
  tenants: readonly Tenant[]
  withSql<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T>
}

export const any = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!

export const iso = (ms: number): string => new Date(ms).toISOString()

/** The times of a request. */
export const timesFrom = (startMs: number, lengthMs: number) => ({
  start_time: iso(startMs),
  end_time: iso(startMs + lengthMs),
})

/** Things to be judged, once each. */
export function openPile<T>() {
  let pile: T[] = []
  return {
    add: (...ones: readonly T[]) => void pile.push(...ones),
    take(): readonly T[] {
      const taken = pile
      pile = []
      return taken
    },
  }
}
