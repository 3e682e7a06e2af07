// `npm run trial -- drill [alert …]`: every alert, or those named, caused by a genuine fault of the running service,
// seen to fire in a real Prometheus, and seen to end when the fault is over. Exit code 1 when one was not seen. Takes
// minutes; loopback only, ends by itself.
import { listenForStop } from '../../local/stopSignals.ts'
import { table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
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

const titles = ['alert', 'fires', 'ends', 'caused by']
const tableOf = (attempts: readonly Attempt[]) =>
  table(
    titles,
    attempts.map(({ alert, firedMs, endedMs, what, note }) => [
      alert,
      seconds(firedMs),
      seconds(endedMs),
      note || what,
    ]),
    titles.length,
  )

const chosen = chosenCauses(process.argv.slice(2))
const attempts: Attempt[] = []
/** The fault that is there now: a frozen process would not end. */
let current: Cause | undefined

async function tryAll(site: Site, stopped: AbortSignal) {
  await settle(site)
  for (const cause of chosen) {
    if (stopped.aborted) return
    current = cause
    attempts.push(...(await attempt(site, cause)))
    current = undefined
  }
}

process.exit(
  await runTrial<Site>({
    what: 'Starting Postgres, Redis, the API, two workers, the exporters and Prometheus',
    stop: listenForStop(),
    maxMs,
    open: openSite,
    run: tryAll,
    isWrong: () => attempts.some(({ endedMs }) => endedMs === undefined),
    report: () => (attempts.length > 0 ? tableOf(attempts) : undefined),
    mend: async (site) => current?.relieve(site),
  }),
)
