// `npm run trial -- idle [seconds]`: the cost of the whole idle service, by process; then once more with
// 1,000,000 timers and 1,000,000 deliveries that are due later.
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { callOf, makeOrganization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { median, table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import { cpuMsOf } from './cpu.ts'
import { memoryMbOf } from './memory.ts'

const maxMs = 30 * 60_000
const pending = 1_000_000
/** A new process compiles its code and fills its caches, a new database is vacuumed. */
const settleMs = 20_000
const samples = 3
const seconds = Number(process.argv[2] ?? 60)

type Site = Installation & Closable

const results: string[][] = []

async function measure(site: Site, name: string) {
  await pause(settleMs)
  const pids = {
    api: site.apis[0]!.pid(),
    worker: site.workers[0]!.pid(),
    postgres: site.store('postgres').pid,
    redis: site.store('redis').pid,
  }
  const used = () => Object.values(pids).map((pid) => cpuMsOf([pid]) ?? Number.NaN)
  const shares: number[][] = Object.values(pids).map(() => [])
  for (let sample = 0; sample < samples; sample++) {
    const before = used()
    await pause((seconds * 1_000) / samples)
    for (const [nth, ms] of used().entries()) shares[nth]!.push((ms - before[nth]!) / ((seconds * 10) / samples))
  }
  const middle = shares.map(median)
  const percent = (share: number) => `${share.toFixed(2)} %`
  results.push([name, ...middle.map(percent), percent(middle.reduce((sum, share) => sum + share, 0))])
  results.push(['memory', ...Object.values(pids).map((pid) => `${memoryMbOf(pid) ?? '–'} MB`), ''])
  console.log(
    results
      .slice(-2)
      .map((cells) => cells.join('  '))
      .join('\n'),
  )
}

/** As many again of one timer and one delivery, due evenly over a month that begins tomorrow. */
async function fill(site: Site) {
  const { create } = await makeOrganization(callOf(site.baseUrls[0]), site.adminToken)
  const { id } = await create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' })
  await create('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['event.created'] })
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const times = { start_time: `${day}T09:00:00Z`, end_time: `${day}T10:00:00Z` }
  await create(`/v1/calendars/${id}/events`, { title: 'Review', ...times })
  const sql = site.connect()
  const later = (nth: string) => `now() + interval '1 day' + ${nth} * interval '30 days' / ${pending}`
  for (const [name, changes] of [
    ['timers', `'subject_id', uuidv7(), 'due_at', ${later('n')}`],
    ['webhook_deliveries', `'id', uuidv7(), 'change_id', uuidv7(), 'next_retry_at', ${later('n')}`],
  ] as const) {
    await sql.unsafe(`
      insert into ${name} select (jsonb_populate_record(null::${name}, to_jsonb(t) || jsonb_build_object(${changes}))).*
      from (select * from ${name} limit 1) t, generate_series(1, ${pending}) as n`)
  }
  await sql`vacuum analyze timers, webhook_deliveries`
  await sql.end()
}

process.exit(
  await runTrial<Site>({
    what: 'Starting Postgres, Redis, an API process and a worker',
    stop: listenForStop(),
    maxMs,
    open: () => openAll('idle', (opened) => openInstallation(opened, { durable: true })),
    async run(site) {
      await measure(site, 'empty')
      await fill(site)
      await measure(site, `${pending.toLocaleString('en')} timers and deliveries wait`)
    },
    isWrong: () => false,
    report: () => table(['of a core', 'api', 'worker', 'postgres', 'redis', 'sum'], results),
  }),
)
