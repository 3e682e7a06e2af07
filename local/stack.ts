// The whole installation on one machine, from nothing to a served request and back. Everything is noted in `Opened` as
// soon as it is opened, so that a stop at any point leaves nothing behind.
import { join } from 'node:path'
import { migrate } from '../ops/migrate.ts'
import { localUrl } from '../src/config.ts'
import { reachableHost } from '../src/outbound/addresses.ts'
import { type Child, type ChildCommand, type Ready, superviseChild } from './children.ts'
import { type Demo, ensureDemo, keepDemo, keptDemo } from './demo.ts'
import { fillDemo } from './demoData.ts'
import { type DemoReceiver, openDemoReceiver, receiverHost } from './demoReceiver.ts'
import { type Plan, planEnvironment } from './environment.ts'
import { removeEnvironment, writeEnvironment } from './environmentFile.ts'
import { requireFolder } from './folder.ts'
import { acquireLock, type Lock } from './lock.ts'
import { freePort, requireFreePort } from './ports.ts'
import { keptSecrets } from './secrets.ts'
import { isOnlyHere, offerSignIn } from './signInLink.ts'
import { aborted, listenForStop, type StopSignals } from './stopSignals.ts'
import { openStores, type Stores } from './stores.ts'
import { summary } from './summary.ts'
import { type Watching, watchSources } from './watch.ts'

type StackOptions = {
  env: NodeJS.ProcessEnv
  commands: readonly ChildCommand[]
  /** A new demo organization begins with nothing in it. */
  isDemoEmpty: boolean
  /** Folders: when a file in them changes, the children start again. */
  watched?: readonly string[]
}

type Opened = {
  lock?: Lock
  stores?: Stores
  children: Child[]
  postgresDirectory?: string
  environmentIn?: string
  demoReceiver?: DemoReceiver | undefined
  watching?: Watching
}

/** Resolves to the exit code once everything is stopped again. */
export async function runStack({ env, watched = [], ...options }: StackOptions): Promise<number> {
  // For everything that this process and its children write under DATA_DIR, including the logs and Redis' files.
  process.umask(0o077)
  const stop = listenForStop()
  const opened: Opened = { children: [] }
  let code = 0
  try {
    const plan = planEnvironment(env)
    const starting = bringUp(opened, plan, { ...options, watched, stop })
    starting.catch(() => {})
    await Promise.race([starting, aborted(stop.requested)])
    await Promise.race([aborted(stop.requested), opened.stores?.lost ?? new Promise(() => {})])
    console.log('\nStopping…')
  } catch (error) {
    console.error(`agent-calendar: ${oneLine(error)}`)
    code = 1
  }
  await takeDown(opened, stop)
  return stop.forced.aborted ? 1 : code
}

async function bringUp(
  opened: Opened,
  plan: Plan,
  { commands, isDemoEmpty, watched, stop }: Required<Omit<StackOptions, 'env'>> & { stop: StopSignals },
): Promise<void> {
  await claimDataDir(opened, plan)
  Object.assign(plan.env, keptSecrets(plan.dataDir, plan.env))
  const waitMs = opened.lock?.wasStale ? 15_000 : 0
  if (plan.config.port === 0) Object.assign(plan.env, { PORT: String(await freePort()) })
  else await requireFreePort(plan.config.port, plan.config.host, waitMs)
  stop.requested.throwIfAborted()

  await openOwnStores(opened, plan)
  stop.requested.throwIfAborted()
  await timed('Database migrated', async () => {
    const applied = await migrate(plan.env.DATABASE_URL!)
    return applied.length > 0 ? `${applied.length} new` : 'nothing new'
  })
  stop.requested.throwIfAborted()

  opened.demoReceiver = await openReceiver(plan, isDemoEmpty)
  writeEnvironment(plan.dataDir, plan.env)
  opened.environmentIn = plan.dataDir
  const before = performance.now()
  opened.children = commands.map((command, nth) => superviseChild(command, childEnv(plan, nth)))
  const ready = await Promise.all(opened.children.map((child) => child.ready))
  report(`${opened.children.map((child) => child.name).join(' and ')} ready`, before)
  stop.requested.throwIfAborted()
  opened.watching = watchSources(watched, () => opened.children.map((child) => child.restart()))
  await introduce(opened, plan, ready)
}

async function claimDataDir(opened: Opened, { dataDir }: Plan): Promise<void> {
  try {
    requireFolder(dataDir)
    opened.lock = await acquireLock(join(dataDir, 'start.lock'))
  } catch (error) {
    throw new Error(`DATA_DIR: ${oneLine(error)}`)
  }
  if (opened.lock) return
  const choices = 'stop that one first, or give this one another DATA_DIR and PORT'
  throw new Error(`DATA_DIR: ${dataDir} is in use by another npm start, ${choices}`)
}

async function openOwnStores(opened: Opened, { dataDir, stores: which, env }: Plan): Promise<void> {
  if (which.length === 0) return
  const names = { postgres: 'Postgres', redis: 'Redis' }
  opened.stores = openStores({
    dataDir,
    durable: true,
    which,
    onStarted(name, elapsedMs, directory) {
      if (name === 'postgres' && !directory.startsWith(dataDir)) opened.postgresDirectory = directory
      report(`${names[name]} started`, performance.now() - elapsedMs)
    },
  })
  const { postgres, redis } = await opened.stores.ready
  if (postgres) env.DATABASE_URL = postgres
  if (redis) env.REDIS_URL = redis
}

/** A fixed METRICS_PORT is that of the first child; the next ones count up, since two processes cannot share a port. */
function childEnv({ env, config }: Plan, nth: number): NodeJS.ProcessEnv {
  return config.metricsPort === 0 ? env : { ...env, METRICS_PORT: String(config.metricsPort + nth) }
}

/** Webhooks may reach it, whatever else they may reach. A demo organization that began empty has none. */
async function openReceiver({ dataDir, env }: Plan, isDemoEmpty: boolean): Promise<DemoReceiver | undefined> {
  const kept = keptDemo(dataDir)
  if (kept ? !kept.data : isDemoEmpty) return undefined
  const receiver = await openDemoReceiver(kept?.data?.receiver_port ?? 0)
  if (!receiver) return undefined
  const others = env.OUTBOUND_TRUSTED_HOSTS ? `${env.OUTBOUND_TRUSTED_HOSTS},` : ''
  env.OUTBOUND_TRUSTED_HOSTS = `${others}${receiverHost}:${receiver.port}`
  return receiver
}

async function introduce(opened: Opened, { env, config, dataDir }: Plan, ready: Ready[]): Promise<void> {
  const local = `http://${reachableHost(config.host)}:${env.PORT ?? config.port}`
  const receiverPort = opened.demoReceiver?.port
  const making = ensureDemo(dataDir, local, { adminToken: env.ADMIN_TOKEN!, receiverPort })
  const demo: Demo | undefined = await making.catch((error) => {
    console.error(`The demo organization could not be made, everything else works: ${oneLine(error)}`)
    return undefined
  })
  const metrics = ready.flatMap(({ metricsPort }, nth) =>
    metricsPort
      ? [{ name: opened.children[nth]!.name, url: `${localUrl(config.metricsHost, metricsPort)}/metrics` }]
      : [],
  )
  const baseUrl = config.port === 0 ? local : config.baseUrl
  const api = opened.children.find(({ name }) => name === 'api')
  const signInLink = demo && api && isOnlyHere(config.host, baseUrl) ? offerSignIn(api, demo, baseUrl) : undefined
  if (demo) await fill(demo, dataDir, local)
  const facts = { baseUrl, dataDir, adminToken: env.ADMIN_TOKEN!, demo, signInLink }
  const mailTarget = config.smtpUrl ? 'sent through SMTP_URL' : config.mailDir
  const { postgresDirectory } = opened
  console.log(summary({ ...facts, mailTarget, metrics, trustedHosts: config.trustedHosts, postgresDirectory }))
}

/** Responses to requests with keys are kept for a day; later a repeated request would make things twice. */
const repeatableMs = 20 * 60 * 60_000

async function fill(demo: Demo, dataDir: string, apiUrl: string): Promise<void> {
  const { data } = demo
  if (!data || data.done) return
  if (Date.now() - Date.parse(data.begun_at) < repeatableMs) {
    const made = timed('Demo filled', async () => fillDemo(apiUrl, demo, data).then(() => 'two weeks'))
    await made.catch((error) => console.error(`The demo organization is not complete: ${oneLine(error)}`))
  }
  keepDemo(dataDir, { ...demo, data: { ...data, done: true } })
}

/** Stops what uses the stores before the stores. A second signal ends all remaining processes at once. */
async function takeDown(opened: Opened, stop: StopSignals): Promise<void> {
  opened.watching?.close()
  const stopAll = (manner: 'clean' | 'now') => Promise.all(opened.children.map((child) => child.stop(manner)))
  aborted(stop.forced).then(() => {
    stopAll('now')
    opened.stores?.stop('now')
  })
  await stopAll('clean')
  opened.demoReceiver?.close()
  if (opened.environmentIn) removeEnvironment(opened.environmentIn)
  await opened.stores?.stop(stop.forced.aborted ? 'now' : 'clean')
  opened.lock?.release()
}

async function timed(label: string, work: () => Promise<string>): Promise<void> {
  const before = performance.now()
  report(`${label} (${await work()})`, before)
}

function report(label: string, before: number): void {
  console.log(`  ${label.padEnd(34)} ${((performance.now() - before) / 1000).toFixed(1)} s`)
}

const oneLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]
