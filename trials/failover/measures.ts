// The price of a fail-over: how long no write was acknowledged, how readers fared, and how many processes Postgres had at
// most for the service. Pure, but for the watch.
import { type CallRecord, isApiError } from '../faults/client.ts'
import { percentile } from '../world/report.ts'
import type { ClusterFault } from './fault.ts'
import { seconds } from './fault.ts'
import type { Node } from './node.ts'

export type Measures = {
  pauseMs: number
  readsMs: number
  slowReads: readonly string[]
  failedShare: number
  gone: number
  processes: number
}

type Call = Pick<CallRecord, 'at' | 'ms' | 'status' | 'path'>

/** Its answers wait for a change. */
const waiting = 'GET /v1/changes'
/** Two API processes with 20 connections, two workers with 10. */
const poolsSize = 60

/** `pauseMs`: the longest time from one acknowledged write to the next. */
export function measure(calls: readonly Call[], from: number, to: number): Omit<Measures, 'processes'> {
  const mine = calls.filter(({ at }) => at >= from && at <= to)
  const isRead = ({ path }: Call) => path.startsWith('GET') && path !== waiting
  const isDone = ({ status }: Call) => status >= 200 && status < 300
  const acknowledged = mine.filter((call) => isDone(call) && !call.path.startsWith('GET')).map(({ at, ms }) => at + ms)
  const moments = [from, ...acknowledged.toSorted((a, b) => a - b), to]
  return {
    pauseMs: Math.max(...moments.slice(1).map((at, nth) => at - moments[nth]!)),
    readsMs: percentile(
      mine.filter((call) => isRead(call) && isDone(call)).map(({ ms }) => ms),
      0.99,
    ),
    slowReads: mine
      .filter((call) => isRead(call) && isDone(call))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, 5)
      .map(({ path, ms }) => `${path} ${seconds(ms)}`),
    failedShare: mine.filter((call) => isApiError(call as CallRecord)).length / Math.max(1, mine.length),
    gone: mine.filter(({ status, path }) => status === 410 && path === waiting).length,
  }
}

/** The promises of a fault that were broken. `calmReadsMs`: a busy machine is slow without a fault, too. */
export function brokenPromises(fault: ClusterFault, measures: Measures, calmReadsMs: number): string[] {
  const readsWithinMs = Math.max(fault.readsWithinMs ?? Number.POSITIVE_INFINITY, 2 * calmReadsMs)
  const broken: [boolean, string][] = [
    [
      measures.pauseMs > fault.withinMs,
      `no write was acknowledged for ${seconds(measures.pauseMs)}, not ${seconds(fault.withinMs)}`,
    ],
    [
      measures.readsMs > readsWithinMs,
      `p99 of reads was ${seconds(measures.readsMs)}: ${measures.slowReads.join(', ')}`,
    ],
    [
      measures.failedShare > (fault.failedShare ?? 1),
      `${(100 * measures.failedShare).toFixed(1)} % of the requests failed`,
    ],
    [measures.processes > 2 * poolsSize, `Postgres had ${measures.processes} processes for the service`],
  ]
  return broken.flatMap(([isBroken, text]) => (isBroken ? [text] : []))
}

/** Looks every second. The returned function ends it, and returns the highest number on one server. */
export function watchProcesses(nodes: readonly Node[]): () => number {
  let most = 0
  const look = () => {
    most = Math.max(most, ...nodes.map((node) => node.serverProcesses()))
  }
  const timer = setInterval(look, 1_000)
  return () => {
    clearInterval(timer)
    return most
  }
}
