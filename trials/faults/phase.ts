// One fault under load: lead in, break, heal, let everything come to rest, judge.
import { setTimeout as pause } from 'node:timers/promises'
import { judge } from './check.ts'
import { neverAnswered } from './client.ts'
import type { Fault } from './faults.ts'
import { figuresOf, percentile } from './figures.ts'
import { type Findings, openFindings } from './findings.ts'
import type { Load } from './load.ts'
import { judgeMakers, readMadeRecords } from './makers.ts'
import { readSnapshot, sealerOf, stillDue } from './snapshot.ts'
import type { Result } from './table.ts'
import type { World } from './world.ts'

const leadMs = 3_000
/** The load goes on while the service heals. */
const healMs = 8_000
const maxRestMs = 40_000
const judged = new Set<string>()

export async function runPhase(world: World, load: Load, fault: Fault): Promise<Result> {
  const findings = openFindings()
  const from = Date.now()
  console.log(`\n${fault.name}: ${fault.what}`)
  load.start()
  await pause(leadMs)
  const faultFrom = Date.now()
  await fault.run(world, findings)
  const faultTo = Date.now()
  console.log(`    over after ${seconds(faultTo - faultFrom)}, healing`)
  await pause(healMs)
  await load.stop()
  await comeToRest(world, findings)
  const to = Date.now()
  return { name: fault.name, ...(await judgePhase(world, findings, { from, faultFrom, faultTo, to })) }
}

/** Waits until all that is due is done. */
async function comeToRest(world: World, findings: Findings): Promise<void> {
  const startedMs = Date.now()
  const sql = world.sql()
  try {
    for (;;) {
      const due = await stillDue(sql, webhookIdsOf(world))
      if (due === 0) break
      if (Date.now() - startedMs > maxRestMs) {
        findings.add('promise', `still ${due} things to do ${seconds(maxRestMs)} after the load has ended`)
        break
      }
      await pause(200)
    }
    // What has just been recorded as delivered has arrived before; what is being posted has a moment to be recorded.
    await pause(500)
    console.log(`    at rest after ${seconds(Date.now() - startedMs)}`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function judgePhase(world: World, findings: Findings, span: Parameters<typeof figuresOf>[1]['span']) {
  const sql = world.sql()
  const sealer = sealerOf(world.encryptionKeys)
  const snapshot = await readSnapshot(sql, sealer)
  const made = await readMadeRecords(sql, sealer)
  await sql.end({ timeout: 1 })
  const { calls, owners } = world.client
  const figures = figuresOf(snapshot, { calls, arrivals: world.receiver.arrivals, span })
  for (const [part, lags] of [
    ['fired late by', figures.firingMs],
    ['then delivered after', figures.deliveringMs],
  ] as const) {
    console.log(
      `    moments ${part} p50 ${seconds(percentile(lags, 0.5) ?? 0)}, p99 ${seconds(percentile(lags, 0.99) ?? 0)}`,
    )
  }
  const facts = { webhookIds: webhookIdsOf(world), ledger: world.ledger, receiver: world.receiver, owners }
  const wrong = judge(snapshot, facts)
  for (const text of judgeMakers(made, owners)) wrong.push({ kind: 'foreign', text })
  for (const { kind, text } of wrong) {
    if (!judged.has(text)) findings.add(kind, text)
    judged.add(text)
  }
  for (const { at, path, status, ms, note, foreign } of calls) {
    if (at < span.from) continue
    const name = `${path} after ${seconds(ms)}`
    if (foreign.length > 0) findings.add('foreign', `${name}: ${foreign.join(', ')}`)
    if (status >= 400 && status < 500 && note) findings.add('promise', `${name}: ${note}`)
    if (note === neverAnswered) findings.add('promise', `${name}: never answered`)
    if (status === 503 && note) findings.add('promise', `${name}: ${note}`)
    if (status >= 500 && status !== 503) findings.add('promise', `${name}: answered ${status}`)
  }
  for (const { crashes } of [...world.apis, ...world.workers]) {
    for (const crash of crashes.splice(0)) findings.add('promise', crash)
  }
  return { figures, findings: findings.all }
}

const webhookIdsOf = ({ tenants }: World) => tenants.map(({ webhookId }) => webhookId)

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
