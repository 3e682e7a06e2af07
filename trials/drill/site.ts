// The service in the drill, whole and real: Postgres, Redis, an API process, two workers, a receiver of webhooks, a
// mail server that may be down, both exporters and Prometheus.
import type postgres from 'postgres'
import { freePort } from '../../local/ports.ts'
import { type Caller, callerOf } from '../../src/testing/http.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { openWay } from '../../src/testing/wayToPostgres.ts'
import { makeOrganization, type Organization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, type Opened, openAll } from '../world/opened.ts'
import type { Load } from '../world/steadily.ts'
import { startNodeExporter, startPostgresExporter } from './exporters.ts'
import { startLoad } from './load.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'
import { shortenedRules } from './shortened.ts'
import { mountSmallDisk, type SmallDisk } from './smallDisk.ts'

export type Site = Installation &
  Closable &
  Pick<Organization, 'key' | 'create'> & {
    call: Caller
    calendarIds: string[]
    /** A proxy between the processes and Postgres that can cause faults. */
    wayToPostgres: Awaited<ReturnType<typeof openWay>>
    /** The drill's own way into the service's database, as its owner. */
    sql: postgres.Sql
    /** The same server, without a limit of connections. */
    server: postgres.Sql
    receiver: Receiver
    /** The port is closed until a cause opens a mail server. */
    smtpPort: number
    /** In addition to the one that runs all the time. */
    startLoad(storiesPerSecond: number): Load
    /** The processes' DATA_DIR is on it; undefined where nothing can be mounted. */
    disk: SmallDisk | undefined
    prometheus: Prometheus
  }

const calendarCount = 8
const storiesPerSecond = 4
/** A scrape takes up to two seconds while a store hangs. */
const everySeconds = 3
/** Changes wait for a standby as soon as one is named. */
const replicated = { wal_level: 'replica', max_wal_senders: 4, synchronous_commit: 'on' }
/** Little more than the processes of the drill take. */
const maxConnections = 60

export const openSite = (): Promise<Site> => openAll('drill', open)

async function open(opened: Opened) {
  const disk = tryMount()
  if (disk) opened.onClose(() => disk.remove())
  const smtpPort = await freePort()
  let wayToPostgres: Site['wayToPostgres'] | undefined
  const installation = await openInstallation(opened, {
    workers: 2,
    postgresSettings: { max_connections: maxConnections, ...replicated },
    env: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, ...(disk && { DATA_DIR: disk.directory }) },
    async pooler(databaseUrl) {
      wayToPostgres = await openWay(databaseUrl)
      return { url: wayToPostgres.url, stop: wayToPostgres.close }
    },
  })
  const [sql, server] = [installation.connect(), installation.connect('postgres')]
  opened.onClose(() => Promise.all([sql.end({ timeout: 1 }), server.end({ timeout: 1 })]))
  const receiver = await openReceiver()
  opened.onClose(() => receiver.close())
  const call = callerOf(installation.baseUrls[0])
  const { key, create } = await makeOrganization(call, installation.adminToken)
  const calendarIds = await makeCalendars(create, receiver)
  const beginLoad = (rate: number) => startLoad({ call, key, calendarIds }, rate)
  const load = beginLoad(storiesPerSecond)
  opened.onClose(() => load.stop())
  const prometheus = await openPrometheus(opened, installation, sql)
  return {
    ...{ ...installation, wayToPostgres: wayToPostgres!, sql, server, disk, smtpPort },
    ...{ receiver, call, key, create, calendarIds, startLoad: beginLoad, prometheus },
  }
}

/** With the exporters that it scrapes in addition to the service. */
async function openPrometheus(opened: Opened, installation: Installation, sql: postgres.Sql): Promise<Prometheus> {
  const { apis, workers, store } = installation
  const nodeExporter = await startNodeExporter(opened.dataDir)
  opened.onClose(() => nodeExporter.stop())
  const postgresExporter = await startPostgresExporter(opened.dataDir, await makeObserver(sql, store('postgres').url))
  opened.onClose(() => postgresExporter.stop())
  const jobs = {
    'calendar-api': apis.map(({ metricsPort }) => metricsPort),
    'calendar-worker': workers.map(({ metricsPort }) => metricsPort),
    'postgres-host': [nodeExporter.port],
    postgres: [postgresExporter.port],
  }
  const prometheus = await startPrometheus({ rules: shortenedRules(), jobs, everySeconds })
  opened.onClose(() => prometheus.stop())
  return prometheus
}

function tryMount(): SmallDisk | undefined {
  try {
    return mountSmallDisk()
  } catch {
    return undefined
  }
}

/** And a webhook for their events. */
async function makeCalendars(create: Site['create'], receiver: Receiver): Promise<string[]> {
  await create('/v1/webhooks', { url: receiver.url, events: ['event.created', 'event.started'] })
  const names = Array.from({ length: calendarCount }, (_, nth) => `Drill ${nth}`)
  const calendars = names.map((name) => create('/v1/calendars', { name, timezone: 'UTC' }))
  return (await Promise.all(calendars)).map(({ id }) => id)
}

/** The exporter's role as its manual describes it: not a superuser, for whom Postgres reserves connections. */
async function makeObserver(sql: postgres.Sql, databaseUrl: string): Promise<string> {
  await sql`create role observer login password 'observer' in role pg_monitor`
  const url = new URL(databaseUrl)
  url.username = 'observer'
  url.password = 'observer'
  return url.href
}
