// The API process and the workers of the drill: ended and started again with other variables, on the same ports.
import { join } from 'node:path'
import { freePort } from '../../local/ports.ts'
import { type Supervised, supervise } from '../world/supervise.ts'

export type Processes = {
  baseUrl: string
  metricsPorts: { api: number; workers: readonly number[] }
  api: Supervised
  workers: readonly Supervised[]
  /** Resolves when all of them serve. */
  ready(): Promise<void>
  /** Ends it and starts it with these variables beside the common ones; none: as at first. */
  restartApi(env?: Record<string, string>): Promise<void>
  restartWorkers(env?: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

const workerCount = 2

/** `common`: the environment of all. */
export async function openProcesses(common: NodeJS.ProcessEnv, dataDir: string): Promise<Processes> {
  const port = await freePort()
  const metricsPorts = {
    api: await freePort(),
    workers: await Promise.all(Array.from({ length: workerCount }, freePort)),
  }
  const start = (name: string, file: 'api/main.ts' | 'workers/main.ts', env: Record<string, string>) =>
    supervise({ name, file, env }, common, join(dataDir, `${name}.log`))
  const startApi = (env: Record<string, string> = {}) =>
    start('api', 'api/main.ts', { PORT: String(port), METRICS_PORT: String(metricsPorts.api), ...env })
  const startWorkers = (env: Record<string, string> = {}) =>
    metricsPorts.workers.map((metricsPort, nth) =>
      start(`worker-${nth + 1}`, 'workers/main.ts', { METRICS_PORT: String(metricsPort), ...env }),
    )
  const processes: Processes = {
    baseUrl: `http://127.0.0.1:${port}`,
    metricsPorts,
    api: startApi(),
    workers: startWorkers(),
    async ready() {
      await Promise.all([processes.api, ...processes.workers].map((process) => process.ready()))
    },
    async restartApi(env) {
      await processes.api.stop()
      processes.api = startApi(env)
      await processes.ready()
    },
    async restartWorkers(env) {
      await Promise.all(processes.workers.map((worker) => worker.stop()))
      processes.workers = startWorkers(env)
      await processes.ready()
    },
    async stop() {
      await Promise.all([processes.api, ...processes.workers].map((process) => process.stop()))
    },
  }
  return processes
}
