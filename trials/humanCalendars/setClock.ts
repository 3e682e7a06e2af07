// A clock that the trial sets ahead, for Postgres, all processes and the emulators at once. Meanwhile it runs by itself.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sql } from 'postgres'

export type SetClock = {
  now(): number
  advance(sql: Sql, ms: number): Promise<void>
}

/** The arguments of every process of the service. */
export function clockOf(dataDir: string) {
  const file = join(dataDir, 'clock')
  writeFileSync(file, '0')
  let aheadMs = 0
  const clock: SetClock = {
    now: () => Date.now() + aheadMs,
    async advance(sql, ms) {
      if (aheadMs === 0) await install(sql)
      aheadMs += ms
      await sql`update trial_clock set ahead = ${`${aheadMs} milliseconds`}::interval`
      writeFileSync(file, String(aheadMs))
    },
  }
  const execArgv = ['--import', fileURLToPath(new URL('clockOfProcess.ts', import.meta.url))]
  return { clock, execArgv, env: { TRIAL_CLOCK: file } }
}

async function install(sql: Sql): Promise<void> {
  await sql`create table trial_clock (ahead interval not null)`
  await sql`insert into trial_clock values ('0')`
  await sql`
    create or replace function app_now() returns timestamptz language sql stable
    as 'select now() + ahead from trial_clock'`
}
