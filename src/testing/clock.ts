// The set clock of a test: the application and Postgres tell the same time, and it moves only when told to.

import type { Sql } from '../stores/postgres.ts'
import type { Clock } from '../wakeups/clock.ts'

export type SetClock = Clock & {
  set(at: Date | string): Promise<void>
  advance(ms: number): Promise<void>
}

export async function openSetClock(sql: Sql, start: Date): Promise<SetClock> {
  let at = start
  await sql`create table test_clock (at timestamptz not null)`
  await sql`insert into test_clock values (${at})`
  await sql`create or replace function app_now() returns timestamptz language sql stable as 'select at from test_clock'`
  const clock: SetClock = {
    now: () => at,
    async set(to) {
      at = new Date(to)
      await sql`update test_clock set at = ${at}`
    },
    advance: (ms) => clock.set(new Date(at.getTime() + ms)),
  }
  return clock
}
