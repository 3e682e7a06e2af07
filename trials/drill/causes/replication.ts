// Faults of replication, on a standby that follows the service's Postgres.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startPostgres } from '../../../local/postgres.ts'
import type { Store } from '../../../local/store.ts'
import { followPrimary, takeBackup } from '../../restore/baseBackup.ts'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

const slot = 'drill'
let standby: { folder: string; store: Store } | undefined

async function startStandby({ store }: Site): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-calendar-drill-standby-'))
  // The account of Postgres passes through.
  chmodSync(folder, 0o755)
  const { url, directory } = store('postgres')
  await takeBackup(url, directory, join(folder, 'postgres'))
  followPrimary(join(folder, 'postgres'), url)
  // No less than those of the primary.
  const settings = { wal_level: 'replica', max_wal_senders: 4, max_connections: 100 }
  standby = { folder, store: await startPostgres({ dataDir: folder, durable: false, settings }) }
  return standby.store
}

async function endStandby() {
  await standby?.store.stop('now')
  if (standby) rmSync(standby.folder, { recursive: true })
  standby = undefined
}

/** Each segment that is left early counts whole: 16 MB of the log. */
async function leaveSegments({ server }: Site, count: number) {
  for (let left = count; left > 0; left--) {
    await server`select pg_logical_emit_message(false, 'drill', 'x')`
    await server`select pg_switch_wal()`
  }
}

async function requireStandby({ server }: Site, names: string) {
  await server.unsafe(`alter system set synchronous_standby_names = '${names}'`)
  await server`select pg_reload_conf()`
}

export const replicationCauses: readonly Cause[] = [
  {
    what: 'the only synchronous standby is away',
    alerts: ['StandbyMissing', 'StandbyHangs'],
    cause: (site) => requireStandby(site, 'gone'),
    relieve: (site) => requireStandby(site, ''),
  },
  {
    what: 'a standby does not replay what it gets',
    alerts: ['StandbyBehind'],
    async cause(site) {
      const { url } = await startStandby(site)
      const sql = postgres(url, { max: 1, fetch_types: false })
      await sql`select pg_wal_replay_pause()`
      await sql.end()
      await leaveSegments(site, 5)
    },
    relieve: endStandby,
  },
  {
    what: 'a slot waits for a standby that is gone',
    alerts: ['SlotKeepsLog'],
    async cause(site) {
      await site.server`select pg_create_physical_replication_slot(${slot}, true)`
      await leaveSegments(site, 70)
    },
    relieve: ({ server }) => server`select pg_drop_replication_slot(${slot})`,
  },
  {
    what: 'Postgres comes back as a standby and is promoted',
    alerts: ['PrimaryChanged'],
    async cause(site) {
      const store = site.store('postgres')
      await store.stop()
      writeFileSync(join(store.directory, 'standby.signal'), '')
      await site.restartStore('postgres')
      await site.withSql((sql) => sql`select pg_promote()`)
    },
    relieve: async () => undefined,
  },
]
