// The server's processes of a database stop and go on, as under a stalled disk or a virtual machine that is moved.
import type { Sql } from '../stores/postgres.ts'

type FrozenBackends = {
  /** How many stand still. A pool that has given connections up may have fewer than it may open. */
  frozen: number
  thaw(): void
}

/** Those that serve connections of this name. The server must run here, under a user that may be signalled. */
export async function freezeBackends(watcher: Sql, applicationName: string): Promise<FrozenBackends> {
  const backends = await watcher<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = ${applicationName}`
  const pids = backends.map(({ pid }) => pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return {
    frozen: pids.length,
    thaw() {
      for (const pid of pids.splice(0)) {
        try {
          process.kill(pid, 'SIGCONT')
        } catch {
          // It is gone.
        }
      }
    },
  }
}
