// Postgres and Redis for `npm start` and the test runner. A guardian process owns them, and stops them when this
// process is gone, even after `kill -9`. To start a store without a guardian: `startPostgres`, `startRedis`.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { hasEnded } from './children.ts'
import type { GuardianOptions, GuardianReport } from './guardian.ts'
import type { StopManner, StoreName } from './store.ts'

type Addresses = Partial<Record<StoreName, string>>

type StoresOptions = {
  dataDir: string
  durable: boolean
  which: readonly StoreName[]
  /** Remove `dataDir` at the end. */
  temporary?: boolean
  /** How long the guardian of a killed run may take to release `dataDir`. */
  predecessorMs?: number
  onStarted?(name: StoreName, elapsedMs: number, directory: string): void
}

export type Stores = {
  /** Addresses by name; rejects with one line for the person at the terminal. */
  ready: Promise<Addresses>
  /** Rejects when the stores are lost for good after they were ready; never resolves. */
  lost: Promise<never>
  /** May be called at any time, even while they are starting. */
  stop(how?: StopManner): Promise<void>
}

/** The servers outlive a killed guardian; the next guardian takes over on the same ports. */
export function openStores(options: StoresOptions): Stores {
  const ready = Promise.withResolvers<Addresses>()
  const lost = Promise.withResolvers<never>()
  for (const { promise } of [ready, lost]) promise.catch(() => {})
  const urls: Addresses = {}
  const ports: GuardianOptions['ports'] = {}
  let isReady = false
  let isStopping = false
  let guardian = launch()

  function launch(): ChildProcess {
    const child = forkGuardian(options, ports)
    let failure = 'the process that runs Postgres and Redis ended unexpectedly'
    child.on('message', (report: GuardianReport) => {
      if (report.kind === 'failed') failure = report.message
      if (report.kind === 'started') {
        urls[report.name] = report.url
        ports[report.name] = report.port
        if (!isReady) options.onStarted?.(report.name, report.elapsedMs, report.directory)
      }
      if (report.kind === 'ready') {
        isReady = true
        ready.resolve(urls)
      }
    })
    child.once('exit', (code) => {
      if (isStopping) return
      if (isReady && code !== 1) {
        guardian = launch()
        return
      }
      for (const { reject } of [ready, lost]) reject(new Error(failure))
    })
    return child
  }

  return {
    ready: ready.promise,
    lost: lost.promise,
    async stop(how = 'clean') {
      isStopping = true
      await stopGuardian(guardian, how)
    },
  }
}

function forkGuardian(options: StoresOptions, ports: GuardianOptions['ports']): ChildProcess {
  const { dataDir, durable, which, temporary = false, predecessorMs = 25_000 } = options
  const order: GuardianOptions = { dataDir: resolve(dataDir), durable, which, temporary, predecessorMs, ports }
  return fork(new URL('./guardian.ts', import.meta.url), [JSON.stringify(order)], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

async function stopGuardian(guardian: ChildProcess, how: StopManner): Promise<void> {
  if (hasEnded(guardian)) return
  const exited = once(guardian, 'exit')
  if (guardian.connected) guardian.send({ stop: how }, () => {})
  await exited
}
