// The sources behind an answer are judged, and it is counted when they close it.
import type { App } from '../app.ts'
import { type Freshness, judgeSources } from './freshness.ts'

/** As `judgeSources`, once for each answer. */
export function judgedSources(
  { metrics }: Pick<App, 'metrics'>,
  ...question: Parameters<typeof judgeSources>
): Freshness {
  const freshness = judgeSources(...question)
  if (!freshness.offersSlots) metrics.availabilityClosed.inc({ state: freshness.state })
  return freshness
}
