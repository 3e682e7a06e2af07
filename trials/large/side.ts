// One of the two installations that the trial compares, with its load and its clock of processor time.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Engines, openHandlers } from '../../workers/handlers.ts'
import type { Sample } from '../bench/figures.ts'
import { openReceivers, type Receivers } from '../bench/receivers.ts'
import { each, openWorld, type World } from '../bench/world.ts'
import type { Opened } from '../world/opened.ts'
import { fillLarge, type Place } from './fill.ts'
import { explainSettings } from './plans.ts'

export type Side = {
  world: World
  agents: number
  places: readonly Place[]
  receivers: Receivers
  /** The work of a worker, done in this process. */
  engines: Engines
  /** Sends one request after the other on one connection. `ids`: of what was made. */
  ask(
    requests: readonly string[],
    status: number,
    options?: { keepsIds?: boolean },
  ): Promise<Sample & { ids: string[] }>
  /** Weighs work in this process, of so many operations. */
  weigh(operations: number, work: () => Promise<unknown>): Promise<Sample>
}

const receiverPorts = 20
const copyConnections = 3
/** The same for both installations. The load names the addresses of its clients: each has limits. */
const settings = {
  ...explainSettings,
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
}

type Options = { name: string; agents: number; placesPerKind: number; stopped: AbortSignal }

/** Started and filled. */
export async function openSide(opened: Opened, { name, agents, placesPerKind, stopped }: Options): Promise<Side> {
  const world = await openWorld({ postgresSettings: settings, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  opened.onClose(() => {
    copyLogs(world.dataDir, join(opened.dataDir, name))
    return world.close()
  })
  const receivers = await openReceivers(world, receiverPorts)
  const sql = postgres(world.app.config.databaseUrl, { max: copyConnections, onnotice: () => {} })
  const filling = { app: world.app, sql, agents, placesPerKind, receivers: receivers.urls, stopped }
  const places = await fillLarge(filling).finally(() => sql.end({ timeout: 0 }))
  return {
    ...{ world, agents, places, receivers, engines: openHandlers(world.app) },
    async ask(requests, status, { keepsIds = false } = {}) {
      const order = { port: world.apiPort, connections: 1, requests, status, keepsIds }
      const reply = await world.weighedLoad(world.apiPid(), { ...order, until: { answers: requests.length } })
      return { figure: reply.p50Ms, cpuMs: reply.cpuMs, ids: reply.ids }
    },
    async weigh(operations, work) {
      const before = cpuMs(world)
      const beganMs = performance.now()
      await work()
      const figure = (performance.now() - beganMs) / operations
      return { figure, cpuMs: each(before, cpuMs(world), operations) }
    },
  }
}

/** The data are removed in any case. */
function copyLogs(from: string, to: string): void {
  mkdirSync(to)
  for (const file of readdirSync(from).filter((each) => each.endsWith('.log'))) {
    copyFileSync(join(from, file), join(to, file))
  }
}

/** Of the stores and this process. */
function cpuMs(world: World): number | undefined {
  const stores = world.cpuMs()
  const { user, system } = process.cpuUsage()
  return stores === undefined ? undefined : stores + (user + system) / 1_000
}
