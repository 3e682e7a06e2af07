// The whole installation on one machine, from nothing to a served request and back. Everything is noted in `Opened` as
// soon as it is opened, so that a stop at any point leaves nothing behind.
import { join } from 'node:path'
import { migrate } from '../ops/migrate.ts'
import { localUrl } from '../src/config.ts'
import { reachableHost } from '../src/outbound/addresses.ts'
import { type Child, type ChildCommand, type Ready, superviseChild } from './children.ts'
import { type Demo, ensureDemo } from './demo.ts'
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
  /** Folders: when a file in them changes, the children start again. */
  watched?: readonly string[]
}

type Opened = {
  lock?: Lock
  stores?: Stores
  children: Child[]
  postgresDirectory?: string
  environmentIn?: string
  watching?: Watching
}

/** Resolves to the exit code once everything is stopped again. */
export async function runStack({ env, commands, watched = [] }: StackOptions): Promise<number> {
  // For everything that this process and its children write under DATA_DIR, including the logs and Redis' files.
  process.umask(0o077)
  const stop = listenForStop()
  const opened: Opened = { children: [] }
  let code = 0
  try {
    const plan = planEnvironment(env)
    const starting = bringUp(opened, plan, { commands, watched, stop })
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
  { commands, watched, stop }: Required<Omit<StackOptions, 'env'>> & { stop: StopSignals },
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

async function introduce(opened: Opened, { env, config, dataDir }: Plan, ready: Ready[]): Promise<void> {
  const local = `http://${reachableHost(config.host)}:${env.PORT ?? config.port}`
  const demo: Demo | undefined = await ensureDemo(dataDir, local, env.ADMIN_TOKEN!).catch((error) => {
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
  const facts = { baseUrl, dataDir, adminToken: env.ADMIN_TOKEN!, demo, signInLink }
  const mailTarget = config.smtpUrl ? 'sent through SMTP_URL' : config.mailDir
  const { postgresDirectory } = opened
  console.log(summary({ ...facts, mailTarget, metrics, trustedHosts: config.trustedHosts, postgresDirectory }))
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
