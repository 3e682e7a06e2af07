// The plans of the statements that run during some work.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { World } from '../bench/world.ts'
import { plansIn } from './plans.ts'

/** Sessions hear of a new setting when they next run something; the log is written by another process. */
const settleMs = 300

/** `work` must not be measured: each statement also counts what its nodes read. */
export async function explained({ dataDir, withSql }: World, work: () => Promise<unknown>) {
  const set = (ms: number) =>
    withSql(async (sql) => {
      await sql.unsafe(`alter system set auto_explain.log_min_duration = ${ms}`)
      await sql`select pg_reload_conf()`
      await pause(settleMs)
    })
  const log = openSync(join(dataDir, 'postgres.log'), 'r')
  try {
    const from = fstatSync(log).size
    await set(0)
    await work()
    await set(-1)
    const bytes = Buffer.alloc(fstatSync(log).size - from)
    readSync(log, bytes, 0, bytes.length, from)
    return plansIn(bytes.toString())
  } finally {
    closeSync(log)
  }
}
