// Postgres stops in its tracks and continues, as when a disk stalls or a virtual machine is paused: connections stay
// open, and nothing is answered.
import { setTimeout as pause } from 'node:timers/promises'
import { makeAgent, visit } from './visits.ts'
import type { World } from './world.ts'

const stalls: readonly { what: 'backends' | 'server'; ms: number }[] = [
  { what: 'backends', ms: 3_000 },
  { what: 'backends', ms: 6_500 },
  { what: 'server', ms: 3_000 },
  { what: 'server', ms: 8_000 },
]
const betweenMs = 4_000
const deadlineMs = 5_000
const soonMs = 300

export async function freezePostgres(world: World): Promise<void> {
  for (const [nth, { what, ms }] of stalls.entries()) {
    if (nth > 0) await pause(betweenMs)
    const backends = await backendsOf(world, what)
    // A frozen server takes no new connections; while only its backends are frozen, new connections work.
    const pids = what === 'server' ? [world.store('postgres').pid, ...backends] : backends
    await Promise.all([world.freezer.freeze(pids, ms), crowd(world, ms)])
  }
}

/**
 * Every tenant asks at once, more than there are connections. In a stall that is longer than a statement may take, the
 * first requests time out; every tenant then asks again, and writes, while their connections have not answered yet.
 */
async function crowd({ tenants }: World, stallMs: number) {
  const waiting = tenants.map(visit)
  if (stallMs > deadlineMs) {
    await pause(deadlineMs + soonMs)
    waiting.push(...tenants.map(visit), ...tenants.map(makeAgent))
  }
  await Promise.all(waiting)
}

const backendsOf = ({ withSql }: World, what: 'backends' | 'server'): Promise<number[]> =>
  withSql(async (sql) => {
    const rows = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where pid <> pg_backend_pid() and (${what === 'server'} or application_name like 'agent-calendar %')`
    return rows.map(({ pid }) => pid)
  })
