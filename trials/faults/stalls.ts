// Postgres stands still and goes on, as when a disk stalls or a virtual machine is paused: connections stay, nothing is
// answered.
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
    // New connections find a server that stands still, too; where only backends do, they find one that works.
    const pids = what === 'server' ? [world.stores.postgres.pid, ...backends] : backends
    await Promise.all([world.freezer.freeze(pids, ms), crowd(world, ms)])
  }
}

/**
 * Everybody asks at once, more than there are connections: first what will wait too long; then, when that was given up and
 * its connections have not answered yet, everybody asks again, and writes.
 */
async function crowd({ tenants }: World, stallMs: number) {
  const waiting = tenants.map(visit)
  if (stallMs > deadlineMs) {
    await pause(deadlineMs + soonMs)
    waiting.push(...tenants.map(visit), ...tenants.map(makeAgent))
  }
  await Promise.all(waiting)
}

async function backendsOf({ sql }: World, what: 'backends' | 'server'): Promise<number[]> {
  const own = sql()
  try {
    const rows = await own<{ pid: number }[]>`
      select pid from pg_stat_activity
      where pid <> pg_backend_pid() and (${what === 'server'} or application_name like 'agent-calendar %')`
    return rows.map(({ pid }) => pid)
  } finally {
    await own.end({ timeout: 1 })
  }
}
