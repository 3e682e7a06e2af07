// A real Prometheus on 127.0.0.1 with its own rules and targets. Stopping it removes its files.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../local/ports.ts'

type Sample = { metric: Record<string, string>; value: [number, string] }

export type Prometheus = {
  query(expr: string): Promise<Sample[]>
  /** The alerts that fire: the name, followed by the subject of the alert, as in `NoWorker timers`. */
  alerts(): Promise<string[]>
  stop(): Promise<void>
}

type PrometheusOptions = {
  /** The text of each rule file. */
  rules: readonly string[]
  /** Ports of 127.0.0.1 by job. */
  jobs: Readonly<Record<string, readonly number[]>>
  /** The interval of scrapes. */
  everySeconds: number
}

export const isPrometheusMissing = (): boolean => spawnSync('prometheus', ['--version']).error !== undefined

/** Labels by which the alerts of one name differ. */
const subjects = ['queue', 'source', 'trouble', 'mountpoint']

type FiringOrPending = { state: string; labels: Record<string, string> }

export async function startPrometheus({ rules, jobs, everySeconds }: PrometheusOptions): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  rules.forEach((text, nth) => {
    writeFileSync(join(folder, `${nth}.rules.yml`), text)
  })
  const every = `${everySeconds}s`
  const config = {
    global: { scrape_interval: every, scrape_timeout: every, evaluation_interval: '1s' },
    rule_files: ['*.rules.yml'],
    scrape_configs: Object.entries(jobs).map(([job, ports]) => ({
      job_name: job,
      static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }],
    })),
  }
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const port = await freePort()
  const flags = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
  const child = spawn('prometheus', [...flags, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
  const ask = async (path: string): Promise<any> => {
    const answer = (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as { data: unknown }
    return answer.data
  }
  await untilReady(port)
  return {
    query: async (expr) => (await ask(`query?query=${encodeURIComponent(expr)}`))?.result,
    async alerts() {
      const { alerts }: { alerts: FiringOrPending[] } = await ask('alerts')
      const firing = alerts.filter(({ state }) => state === 'firing')
      return firing.map(({ labels }) =>
        [labels.alertname, ...subjects.map((name) => labels[name])].filter(Boolean).join(' '),
      )
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(port: number): Promise<void> {
  const until = performance.now() + 30_000
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (performance.now() > until) throw new Error('Prometheus did not start within 30 s')
    await pause(50)
  }
}
