// Connections, external calendars and channels: every count of every label, also 0.
import type { App } from '../src/app.ts'
import {
  calendarCounts,
  channelCounts,
  channelStates,
  connectionCounts,
  stalestSeconds,
} from '../src/connections/metrics.ts'
import { connectionStatuses, syncStatuses } from '../src/connections/rules.ts'
import { readOutcomes } from '../src/externalCalendars/readCounts.ts'
import { oauthProviderNames } from '../src/providers/oauthProvider.ts'
import { requestOutcomes } from '../src/providers/requests.ts'
import { providers } from '../src/providers/rules.ts'

export async function showConnections(app: App): Promise<void> {
  const { metrics } = app
  const [connections, calendars, channels] = [
    await connectionCounts(app),
    await calendarCounts(app),
    await channelCounts(app),
  ]
  for (const provider of providers) {
    for (const status of connectionStatuses) {
      const found = connections.find((one) => one.provider === provider && one.status === status)
      metrics.connections.set({ provider, status }, found?.count ?? 0)
    }
  }
  for (const sync of syncStatuses) metrics.externalCalendars.set({ sync }, calendars.get(sync) ?? 0)
  for (const provider of oauthProviderNames) {
    for (const state of channelStates) {
      const found = channels.find((one) => one.provider === provider && one.state === state)
      metrics.externalChannels.set({ provider, state }, found?.count ?? 0)
    }
  }
}

export async function showStalestRead(app: App): Promise<void> {
  app.metrics.externalStalest.set(await stalestSeconds(app))
}

/** A counter that starts at 0 shows its first failure as an increase. */
export function setConnectionZeros({ metrics }: App): void {
  for (const provider of providers) {
    for (const outcome of readOutcomes) metrics.externalReads.inc({ provider, outcome }, 0)
    for (const outcome of requestOutcomes) metrics.providerRequests.inc({ provider, outcome }, 0)
  }
}
