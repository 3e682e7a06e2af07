// Faults that only the machine and the server of Postgres can report.
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'
import { smallDisks } from '../smallDisk.ts'

const isMissing = ({ disk }: Site) => (disk ? undefined : 'no file system can be mounted here: run it as root')

let crowd: postgres.Sql[] = []
let filling: Promise<void> | undefined
let isFilling = false

async function fillSlowly({ disk }: Site) {
  for (let free = 0.5; isFilling && free > 0.15; free -= 0.01) {
    disk!.leaveFree(free)
    await pause(1_500)
  }
}

/** Opens idle connections of an ordinary role until Postgres accepts no more. */
async function crowdOut({ store, server }: Site) {
  await server`do $$ begin create role guest login password 'guest'; exception when duplicate_object then null; end $$`
  const url = new URL('/postgres', store('postgres').url)
  url.username = 'guest'
  url.password = 'guest'
  for (;;) {
    const one = postgres(url.href, { max: 1, fetch_types: false, idle_timeout: 0 })
    crowd.push(one)
    const isLetIn = await one`select 1`.then(
      () => true,
      () => false,
    )
    if (!isLetIn) return
  }
}

async function leave() {
  await Promise.all(crowd.map((one) => one.end({ timeout: 1 })))
  crowd = []
}

export const hostCauses: readonly Cause[] = [
  {
    what: 'the file system fills up steadily',
    alerts: [`PostgresDiskFillsUp ${smallDisks}`],
    isMissing,
    async cause(site) {
      isFilling = true
      filling = fillSlowly(site)
    },
    async relieve({ disk }) {
      isFilling = false
      await filling
      disk!.leaveFree(0.9)
    },
  },
  {
    what: 'the file system of DATA_DIR is nearly full',
    alerts: ['DataDirFull', `PostgresDiskFull ${smallDisks}`],
    isMissing,
    cause: async ({ disk }) => disk!.leaveFree(0.05),
    relieve: async ({ disk }) => disk!.leaveFree(0.9),
  },
  {
    what: 'idle connections take what Postgres allows',
    alerts: ['PostgresConnectionsNearLimit'],
    cause: crowdOut,
    relieve: leave,
  },
  {
    what: 'the exporter of Postgres finds no connection left',
    alerts: ['PostgresUnseen'],
    async cause(site) {
      await crowdOut(site)
      // Its place is taken as soon as it is free.
      await site.server`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'observer'`
      await crowdOut(site)
    },
    relieve: leave,
  },
]
