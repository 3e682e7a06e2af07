// How a subscription's attempts went over time: the stretches of its health, added up by steps. Every step is there, also one without
// attempts, and together they are what the health of the same window counts.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { isoTimeOf } from '../shapes/datetimes.ts'
import { hourMs } from '../shapes/durations.ts'
import { windowsMs } from './health.ts'
import { emptyHistogram, percentile, stretchAt, stretchMs } from './histogram.ts'
import { type StretchRow, stretchesOf } from './queries.ts'
import type { HealthPoint, HealthQuery } from './schema.ts'
import { requireWebhook } from './subscriptions.ts'

const stepsMs = { '1h': stretchMs, '24h': stretchMs, '7d': hourMs }

export async function webhookHealthSeries(app: App, actor: Actor, id: string, { window }: HealthQuery) {
  const webhook = await requireWebhook(app, actor, id)
  const now = app.clock.now()
  const since = stretchAt(new Date(now.getTime() - windowsMs[window]))
  const rows = await stretchesOf(app.sql, webhook, since)
  return { points: pointsOf(rows, { fromMs: since.getTime(), toMs: now.getTime(), stepMs: stepsMs[window] }) }
}

type Steps = { fromMs: number; toMs: number; stepMs: number }

/** Of all steps from `fromMs` to the one that holds `toMs`. */
export function pointsOf(rows: readonly StretchRow[], { fromMs, toMs, stepMs }: Steps): HealthPoint[] {
  const byStep = Map.groupBy(rows, ({ stretch }) => Math.floor((stretch.getTime() - fromMs) / stepMs))
  const count = Math.floor((toMs - fromMs) / stepMs) + 1
  return Array.from({ length: count }, (_, nth) => pointAt(fromMs + nth * stepMs, byStep.get(nth) ?? []))
}

function pointAt(atMs: number, rows: readonly StretchRow[]): HealthPoint {
  const histogram = emptyHistogram()
  let [attempts, delivered] = [0, 0]
  for (const row of rows) {
    attempts += row.attempts
    delivered += row.delivered
    for (const [range, n] of row.msHistogram.entries()) histogram[range]! += n
  }
  return { at: isoTimeOf(atMs), delivered, failed: attempts - delivered, p95_ms: percentile(histogram, 0.95) }
}
