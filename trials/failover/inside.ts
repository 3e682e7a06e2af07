// The trial itself, inside the namespaces that run.ts makes.
import { listenForStop } from '../../local/stopSignals.ts'
import type { Fault } from '../faults/faults.ts'
import { worstFirst } from '../faults/findings.ts'
import { runPhase } from '../faults/phase.ts'
import { type Column, type Result, seconds, tableOf } from '../faults/table.ts'
import { openWorld } from '../faults/world.ts'
import { startPooler } from '../scaling/pooler.ts'
import { startSentinel } from '../scaling/redisNodes.ts'
import { runTrial } from '../world/trial.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { ClusterFault, Failing } from './fault.ts'
import { calm } from './faults.ts'
import { obeyOutside } from './isolated.ts'
import { explainLosses } from './lost.ts'
import { brokenPromises, type Measures, measure, watchProcesses } from './measures.ts'
import { readWords, type Way } from './words.ts'

obeyOutside()
const { chosen, way, rate, isPatient } = readWords(process.argv.slice(2))
const timing = isPatient ? { ttl: 30, loopWait: 2, retryTimeout: 10 } : undefined
const load = { storiesPerSecond: rate, isOverMcp: false }
const shownFindings = 12
const columns: readonly Column<Result & Measures>[] = [
  ['writes again', ({ pauseMs }) => seconds(pauseMs)],
  ['410', ({ gone }) => String(gone)],
  ['processes', ({ processes }) => String(processes)],
]
const said =
  'writes again: the longest time without an acknowledged write. 410: readers that listed again. processes: of the service on one Postgres, at most.'
const results: (Result & Measures)[] = []

async function open(): Promise<Failing> {
  let cluster: Cluster | undefined
  let redis: Failing['redis'] | undefined
  const world = await openWorld({
    async postgres(dataDir) {
      cluster = await startCluster(process.env.TRIAL_DEBIAN!, dataDir, timing)
      console.log('The cluster is whole; starting Redis, two API processes and two workers')
      return cluster
    },
    async redis(dataDir) {
      redis = await startSentinel(dataDir)
      return redis
    },
    pooler: (url) => frontOf(way, url, cluster!),
  })
  return { ...world, cluster: cluster!, redis: redis! }
}

async function frontOf(by: Way, url: string, { hostsUrl }: Cluster) {
  if (by === 'pgbouncer') return startPooler(url, 25)
  return { url: by === 'hosts' ? hostsUrl : url, stop: () => undefined }
}

async function runPhases(world: Failing, stopped: AbortSignal): Promise<void> {
  for (const fault of [calm, ...chosen]) {
    if (stopped.aborted) return
    results.push(await runOne(world, fault))
  }
}

async function runOne(world: Failing, fault: ClusterFault): Promise<Result & Measures> {
  const from = Date.now()
  const endWatch = watchProcesses(world.cluster.nodes)
  let until = from
  let lostAt = from
  const run: Fault['run'] = async (_, found) => {
    const returned = await fault.run(world, found)
    if (typeof returned === 'number') lostAt = returned
    until = Date.now() + 5_000
  }
  const losesCursors = !fault.keepsCursors
  const { findings, ...result } = await runPhase(world, { ...fault, losesCursors, run }, load)
  const measures = { ...measure(world.client.calls, from, until), processes: endWatch() }
  const lagMs = fault.lostWithinMs
  const wrong = lagMs === undefined ? [...findings] : explainLosses(findings, world, { lostAt, lagMs })
  const calmReadsMs = results[0]?.readsMs ?? 0
  for (const text of brokenPromises(fault, measures, calmReadsMs)) wrong.push({ kind: 'promise', text })
  for (const { kind, text } of worstFirst(wrong).slice(0, shownFindings)) console.log(`    ${kind}: ${text}`)
  if (wrong.length > shownFindings) console.log(`    and ${wrong.length - shownFindings} more`)
  return { ...result, ...measures, findings: wrong }
}

process.exit(
  await runTrial<Failing>({
    what: `Starting three Patroni nodes, etcd and HAProxy; the service reaches them by ${way}`,
    stop: listenForStop(),
    maxMs: 60 * 60_000,
    open,
    run: runPhases,
    isWrong: () => results.some(({ findings }) => findings.length > 0),
    report: () => (results.length > 0 ? tableOf(results, columns, said) : undefined),
  }),
)
