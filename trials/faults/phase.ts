// One fault under load: lead in, break, heal, come to rest, judge.
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../world/report.ts'
import { judge } from './check.ts'
import { type CallRecord, neverAnswered } from './client.ts'
import type { Fault } from './faults.ts'
import { figuresOf, type Span } from './figures.ts'
import { type Findings, openFindings } from './findings.ts'
import { judgeChains } from './follow.ts'
import { type LoadWanted, startLoad } from './load.ts'
import { judgeMakers, readMadeRecords } from './makers.ts'
import { readSnapshot, type Snapshot, sealerOf, stillDue } from './snapshot.ts'
import type { Result } from './table.ts'
import type { World } from './world.ts'

const leadMs = 3_000
/** The load continues while the service heals. */
const healMs = 8_000
const maxRestMs = 40_000
/** Findings of earlier phases: the snapshot holds their records, too. */
const judged = new Set<string>()
let knownDeadlocks = 0

export async function runPhase(world: World, fault: Fault, wanted: LoadWanted): Promise<Result> {
  const findings = openFindings()
  const from = Date.now()
  console.log(`\n${fault.name}: ${fault.what}`)
  const endReading = world.following.begin()
  const load = startLoad(world, wanted)
  await pause(leadMs)
  const faultFrom = Date.now()
  await fault.run(world, findings)
  const faultTo = Date.now()
  console.log(`    over after ${seconds(faultTo - faultFrom)}, healing`)
  await pause(healMs)
  await load.stop()
  await comeToRest(world, findings)
  const to = Date.now()
  const judgement = await judgePhase(world, findings, { from, faultFrom, faultTo, to }, endReading)
  if (!fault.losesCursors) judgeCursors(world.client.calls, from, findings)
  return { name: fault.name, ...judgement }
}

/** Waits until everything that is due is done. */
async function comeToRest(world: World, findings: Findings): Promise<void> {
  const startedMs = Date.now()
  const ids = webhookIdsOf(world)
  await world.withSql(async (sql) => {
    for (let due = await stillDue(sql, ids); due > 0; due = await stillDue(sql, ids)) {
      if (Date.now() - startedMs > maxRestMs) {
        findings.add('promise', `still ${due} things to do ${seconds(maxRestMs)} after the load has ended`)
        break
      }
      await pause(200)
    }
  })
  // A delivery that was just recorded arrived before that; one that is being posted gets a moment to be recorded.
  await pause(500)
  console.log(`    at rest after ${seconds(Date.now() - startedMs)}`)
}

async function judgePhase(
  world: World,
  findings: Findings,
  span: Span,
  endReading: () => Promise<void>,
): Promise<Omit<Result, 'name'>> {
  const { client, ledger, receiver } = world
  const { calls, owners } = client
  const sealer = sealerOf(world.env.ENCRYPTION_KEYS!)
  const [snapshot, made] = await world.withSql(async (sql) => [
    await readSnapshot(sql, sealer),
    await readMadeRecords(sql, sealer),
  ])
  await endReading()
  const figures = figuresOf(snapshot, { calls, arrivals: receiver.arrivals, span })
  sayLags('fired late by', figures.firingMs)
  sayLags('then delivered after', figures.deliveringMs)
  const wrong = judge(snapshot, { webhookIds: webhookIdsOf(world), ledger, receiver, owners })
  for (const text of judgeMakers(made, owners)) wrong.push({ kind: 'foreign', text })
  const read = openFindings()
  judgeChains(world.following.chains, snapshot, read)
  for (const { judge } of world.kinds) await judge(read, snapshot)
  judgeDeadlocks(snapshot, read)
  wrong.push(...read.all)
  for (const { kind, text } of wrong) {
    if (!judged.has(text)) findings.add(kind, text)
    judged.add(text)
  }
  for (const call of calls) if (call.at >= span.from) judgeCall(call, findings)
  for (const { crashes } of [...world.apis, ...world.workers]) {
    for (const crash of crashes.splice(0)) findings.add('promise', crash)
  }
  return { figures, findings: findings.all }
}

/** Locks are taken in one order. A server that was stopped at once has forgotten its count. */
function judgeDeadlocks({ deadlocks }: Snapshot, findings: Findings): void {
  if (deadlocks > knownDeadlocks)
    findings.add('promise', `Postgres ended ${deadlocks - knownDeadlocks} deadlocks (40P01)`)
  knownDeadlocks = deadlocks
}

function sayLags(part: string, lagsMs: readonly number[]): void {
  const [p50, p99] = [0.5, 0.99].map((share) => seconds(percentile(lagsMs, share) || 0))
  console.log(`    moments ${part} p50 ${p50}, p99 ${p99}`)
}

function judgeCall({ path, status, ms, note, foreign }: CallRecord, findings: Findings): void {
  const name = `${path} after ${seconds(ms)}`
  if (foreign.length > 0) findings.add('foreign', `${name}: ${foreign.join(', ')}`)
  if (note === neverAnswered) findings.add('promise', `${name}: never answered`)
  if (note && (status === 503 || (status >= 400 && status < 500))) findings.add('promise', `${name}: ${note}`)
  if (status >= 500 && status !== 503) findings.add('promise', `${name}: answered ${status}`)
}

function judgeCursors(calls: readonly CallRecord[], from: number, findings: Findings): void {
  const gone = calls.filter(({ at, path, status }) => at >= from && path === 'GET /v1/changes' && status === 410)
  if (gone.length > 0) findings.add('promise', `${gone.length} readers of the change feed lost their place (410)`)
}

const webhookIdsOf = ({ tenants }: World) => tenants.map(({ webhookId }) => webhookId)

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
