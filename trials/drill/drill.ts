// `node trials/drill/drill.ts [alert …]`: every alert, or those named, caused by a genuine fault of the running service,
// seen to fire in a real Prometheus, and seen to end when the fault is over. Exit code 1 when one was not seen. Takes
// minutes; loopback only, ends by itself.
import { aborted, listenForStop, notDoneWithin } from '../../local/stopSignals.ts'
import { type Attempt, attempt, seconds, settle } from './attempt.ts'
import type { Cause } from './cause.ts'
import { causes } from './causes.ts'
import { openSite, type Site } from './site.ts'

const maxMs = 40 * 60_000

const nameOf = (alert: string) => alert.split(' ')[0]!

function chosenCauses(words: readonly string[]): Cause[] {
  const known = new Set(causes.flatMap(({ alerts }) => alerts.map(nameOf)))
  const unknown = words.filter((word) => !known.has(word))
  if (unknown.length > 0) {
    console.error(`agent-calendar: there is no alert ${unknown.join(', ')}. There are: ${[...known].sort().join(', ')}`)
    process.exit(2)
  }
  return causes.filter(({ alerts }) => words.length === 0 || alerts.some((alert) => words.includes(nameOf(alert))))
}

function table(attempts: readonly Attempt[]): string {
  const rows = [
    ['alert', 'fires', 'ends', 'caused by'],
    ...attempts.map(({ alert, firedMs, endedMs, what, note }) => [
      alert,
      seconds(firedMs),
      seconds(endedMs),
      note || what,
    ]),
  ]
  const widths = rows[0]!.map((_, nth) => Math.max(...rows.map((row) => row[nth]!.length)))
  return rows.map((row) => `  ${row.map((cell, nth) => cell.padEnd(widths[nth]!)).join('  ')}`.trimEnd()).join('\n')
}

const stop = listenForStop()

/** The fault that is there at this moment: what stands still would not end. */
let current: Cause | undefined

async function tryAll(site: Site, chosen: readonly Cause[], attempts: Attempt[]) {
  await settle(site)
  for (const cause of chosen) {
    if (stop.requested.aborted) return
    current = cause
    attempts.push(...(await attempt(site, cause)))
    current = undefined
  }
}

async function main(): Promise<number> {
  const chosen = chosenCauses(process.argv.slice(2))
  const attempts: Attempt[] = []
  let site: Site | undefined
  let isWrong = true
  try {
    console.log('Starting Postgres, Redis, the API, two workers, the exporters and Prometheus')
    const late = notDoneWithin(maxMs)
    site = await Promise.race([openSite(), late])
    const trying = tryAll(site, chosen, attempts)
    trying.catch(() => {})
    await Promise.race([trying, aborted(stop.requested), late])
    isWrong = stop.requested.aborted || attempts.some(({ endedMs }) => endedMs === undefined)
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).stack}`)
  }
  if (site) await current?.relieve(site).catch(() => {})
  if (attempts.length > 0) console.log(`\n${table(attempts)}\n`)
  if (isWrong && site) console.log(`The logs are in ${site.dataDir}`)
  await site?.close(isWrong)
  return isWrong ? 1 : 0
}

process.exit(await main())
