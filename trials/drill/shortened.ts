// The rules as the drill runs them. So that an alert is seen within a minute, it shortens their waits, their windows
// and thresholds that are long times. Everything else is the rules' own text.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Thresholds within them mostly stay as they are: the faults of the drill are worse, and reach them sooner. */
const windows: Readonly<Record<string, string>> = {
  '2m': '15s',
  '5m': '20s',
  '10m': '30s',
  '30m': '30s',
  '1h': '30s',
  '6h': '40s',
  '3d': '50s',
}

/** In the rules and in the drill: seconds, and a count of events that happen every few seconds at most. */
const thresholds: Readonly<Record<string, { from: number; to: number }>> = {
  DeliveriesOverdue: { from: 120, to: 20 },
  FeedsStale: { from: 2_700, to: 20 },
  MailsStuck: { from: 900, to: 10 },
  PublicationsOld: { from: 900, to: 10 },
  ExternalReadsBehind: { from: 2_700, to: 20 },
  MeasurementsFail: { from: 5, to: 2 },
}

/** The rules as the drill runs them, file by file. */
export function shortenedRules(): string[] {
  const texts = ['calendar.rules.yml', 'hosts.rules.yml'].map((name) =>
    shortenWaits(readFileSync(join(import.meta.dirname, '../../ops/prometheus', name), 'utf8')),
  )
  return Object.entries(thresholds).reduce(shortenThreshold, texts)
}

const shortenWaits = (rules: string) =>
  rules.replaceAll(/for: \d+[smhd]/g, 'for: 1s').replaceAll(/\[(\d+[smhd])\]/g, (_, window: string) => {
    if (!windows[window]) throw new Error(`the drill has no short window for ${window}`)
    return `[${windows[window]}]`
  })

function shortenThreshold(texts: string[], [alert, { from, to }]: [string, { from: number; to: number }]): string[] {
  const threshold = new RegExp(`(- alert: ${alert}\\n(?: +#.*\\n)* +expr: .*> )${from}$`, 'm')
  if (!texts.some((text) => threshold.test(text))) throw new Error(`${alert} has no threshold of ${from}`)
  return texts.map((text) => text.replace(threshold, `$1${to}`))
}
