// Tries one cause: from the fault until its alerts have ended.
import { setTimeout as pause } from 'node:timers/promises'
import type { Cause } from './cause.ts'
import type { Site } from './site.ts'
import { smallDisks } from './smallDisk.ts'

const firesWithinMs = 120_000
const endsWithinMs = 120_000
/** How long nothing may fire before the service counts as well. */
const silenceMs = 8_000

/** `firedMs` counts from the fault, `endedMs` from its end; undefined: not seen. */
export type Attempt = { alert: string; what: string; firedMs?: number; endedMs?: number; note: string }

export const seconds = (ms: number | undefined) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(0)} s`)

const isAbout = (firing: string, wanted: string) => firing.startsWith(wanted)

/** Without alerts about the other file systems of this machine. */
async function firingNow({ prometheus }: Site): Promise<string[]> {
  const firing = await prometheus.alerts()
  return firing.filter((alert) => !alert.startsWith('PostgresDisk') || alert.includes(smallDisks))
}

/** Waits until nothing fires: a target that Prometheus has not scraped yet counts as down. */
export async function settle(site: Site): Promise<void> {
  for (let silentSince = performance.now(); performance.now() - silentSince < silenceMs; await pause(250)) {
    if ((await firingNow(site)).length > 0) silentSince = performance.now()
  }
}

type Watch = { until: 'fires' | 'ended'; withinMs: number }

/**
 * Returns when each of `alerts` first fired or had ended; watches until all did or the time is over. Other alerts go to
 * `others`.
 */
async function watch(site: Site, alerts: readonly string[], { until, withinMs }: Watch, others = new Set<string>()) {
  const from = performance.now()
  const seen = new Map<string, number>()
  while (seen.size < alerts.length && performance.now() - from < withinMs) {
    const firing = await firingNow(site)
    for (const alert of alerts) {
      const isFiring = firing.some((one) => isAbout(one, alert))
      if (!seen.has(alert) && isFiring === (until === 'fires')) seen.set(alert, performance.now() - from)
    }
    for (const one of firing) if (!alerts.some((alert) => isAbout(one, alert))) others.add(one)
    await pause(250)
  }
  return seen
}

export async function attempt(site: Site, cause: Cause): Promise<Attempt[]> {
  const { what, alerts } = cause
  console.log(`\n${what}`)
  const missing = cause.isMissing?.(site)
  if (missing) {
    console.log(`  not tried: ${missing}`)
    return alerts.map((alert) => ({ alert, what, note: missing }))
  }
  await watch(site, alerts, { until: 'ended', withinMs: endsWithinMs })
  // Alerts of the previous cause that still fire are not reported again.
  const before = await firingNow(site)
  const others = new Set<string>(before)
  const from = performance.now()
  const failing = messageOf(() => cause.cause(site))
  const fired = await watch(site, alerts, { until: 'fires', withinMs: firesWithinMs }, others)
  const note = (await failing) ?? ''
  const relievedAt = performance.now()
  await cause.relieve(site)
  const relieveMs = performance.now() - relievedAt
  const ended = await watch(site, alerts, { until: 'ended', withinMs: endsWithinMs }, others)
  await cause.tidy?.(site)
  const attempts = alerts.map((alert): Attempt => {
    const isNew = !before.some((one) => isAbout(one, alert))
    const firedMs = isNew ? fired.get(alert) : undefined
    const endedMs = firedMs === undefined ? undefined : ended.get(alert)
    return { alert, what, note, ...(firedMs && { firedMs }), ...(endedMs && { endedMs: endedMs + relieveMs }) }
  })
  print(attempts, [...others].filter((alert) => !before.includes(alert)).sort())
  console.log(`  took ${seconds(performance.now() - from)}`)
  return attempts
}

/** Returns the message if it fails. */
const messageOf = (work: () => Promise<unknown>): Promise<string | undefined> =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: Error) => error.message,
    )

function print(attempts: readonly Attempt[], others: readonly string[]) {
  for (const { alert, firedMs, endedMs, note } of attempts) {
    if (firedMs === undefined) console.log(`  ${alert} DOES NOT FIRE${note && `: ${note}`}`)
    else if (endedMs === undefined) console.log(`  ${alert} fires after ${seconds(firedMs)} and DOES NOT END`)
    else console.log(`  ${alert} fires after ${seconds(firedMs)}, ends after ${seconds(endedMs)}`)
  }
  if (others.length > 0) console.log(`  also: ${others.join(', ')}`)
}
