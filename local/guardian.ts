// The process that owns Postgres and Redis on behalf of its parent. It runs outside the terminal's process group, so
// Ctrl-C does not reach it. It stops the stores when the parent asks for it, or when the parent is gone.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { acquireLock, type Lock } from './lock.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import type { StopManner, Store, StoreName, StoreOptions } from './store.ts'

export type GuardianOptions = {
  dataDir: string
  durable: boolean
  which: readonly StoreName[]
  temporary: boolean
  predecessorMs: number
  ports: Partial<Record<StoreName, number>>
}

export type GuardianReport =
  | { kind: 'started'; name: StoreName; url: string; port: number; directory: string; elapsedMs: number }
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }

const start = { postgres: startPostgres, redis: startRedis } satisfies Record<
  StoreName,
  (options: StoreOptions) => Promise<Store>
>
const options: GuardianOptions = JSON.parse(process.argv[2]!)
const running: Partial<Record<StoreName, Store>> = {}
const restarting: Partial<Record<StoreName, Promise<void>>> = {}
let lock: Lock | undefined
let isStopping = false
let starting: Promise<unknown> = Promise.resolve()

function send(report: GuardianReport): void {
  if (process.connected) process.send!(report, () => {})
}

async function open(name: StoreName, port: number | undefined): Promise<Store> {
  const { dataDir, durable } = options
  const store = await start[name]({ dataDir, durable, port })
  running[name] = store
  store.exited.then(() => {
    if (!isStopping) restarting[name] = reopen(name, store.port)
  })
  return store
}

/** On the same port, because the other processes have the address already. */
async function reopen(name: StoreName, port: number): Promise<void> {
  for (let waitMs = 100; !isStopping; waitMs = Math.min(waitMs * 2, 5000)) {
    console.error(`${name} ended unexpectedly, starting it again (see ${join(options.dataDir, `${name}.log`)})`)
    try {
      await open(name, port)
      return
    } catch (error) {
      console.error((error as Error).message)
      await pause(waitMs)
    }
  }
}

async function openAll(): Promise<void> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  lock = await acquireLock(join(options.dataDir, 'guardian.lock'), options.predecessorMs)
  if (!lock) throw new Error(`the stores in ${options.dataDir} are in use by another process`)
  const opened = options.which.map(async (name) => {
    const before = performance.now()
    const { url, port, directory } = await open(name, options.ports[name])
    send({ kind: 'started', name, url, port, directory, elapsedMs: performance.now() - before })
  })
  const failed = (await Promise.allSettled(opened)).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

async function close(how: StopManner, code: number): Promise<void> {
  if (isStopping && how === 'clean') return
  isStopping = true
  await starting.catch(() => {})
  await Promise.allSettled(Object.values(restarting))
  await Promise.all(Object.values(running).map((store) => store.stop(how)))
  lock?.release()
  if (options.temporary) {
    // The files may be elsewhere: `dataDir` then holds a link.
    for (const { directory } of Object.values(running)) rmSync(directory, { recursive: true, force: true })
    rmSync(options.dataDir, { recursive: true, force: true })
  }
  process.exit(code)
}

process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
process.on('disconnect', () => close('clean', 0))
process.on('message', ({ stop }: { stop: StopManner }) => close(stop, 0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => close('clean', 0))

starting = openAll()
starting.then(
  () => send({ kind: 'ready' }),
  (error: Error) => {
    send({ kind: 'failed', message: error.message })
    close('clean', 1)
  },
)
