// Cleans up at the provider of an ended connection: stops its channels and revokes its tokens. A provider that is away delays
// that, for a day at most.
import type { App } from '../app.ts'
import { readCredentials } from '../connections/account.ts'
import { renewTokens, revokeToken } from '../connections/oauth.ts'
import { providerOf } from '../connections/providers.ts'
import { type ConnectionKey, connectionOfAccount } from '../connections/queries.ts'
import { claimRevocation, endRevocation, postponeRevocation } from '../connections/revocationWrites.ts'
import { credentialsContext } from '../connections/sealed.ts'
import { minuteMs } from '../shapes/durations.ts'
import { jobs } from '../wakeups/jobs.ts'
import { stopAll } from './channels.ts'
import { channelsOf } from './channelWrites.ts'

const firstRetryMs = 15_000
const maxRetryMs = 10 * minuteMs

/** Does nothing if it is not due, or another worker has it. */
export async function revokeConnection(app: App, key: ConnectionKey): Promise<void> {
  const [row] = await claimRevocation(app.sql, key, jobs.revoke.leaseMs)
  if (!row) return
  const now = app.clock.now()
  const isOver = row.endsAt <= now
  if (isOver || (await leave(app, row))) {
    await endRevocation(app.sql, key)
    return
  }
  const waitMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(10, row.attempts))
  await postponeRevocation(app.sql, key, new Date(now.getTime() + waitMs))
}

type Leaving = NonNullable<Awaited<ReturnType<typeof claimRevocation>>[number]>

/** False: the provider is away, so it is tried again. */
async function leave(app: App, row: Leaving): Promise<boolean> {
  const provider = providerOf(app, row.provider, row.orgId)
  if (!provider?.oauth) return true
  const { oauth, stop } = provider
  const credentials = readCredentials(app.sealer.unseal(credentialsContext(row.id), row.credentialsSealed))
  const channels = await channelsOf(app.sql, row)
  if (stop && channels.length > 0) {
    let { accessToken } = credentials
    if (Date.parse(credentials.expiresAt) <= app.clock.now().getTime()) {
      const renewed = await renewTokens(app, oauth, credentials.refreshToken)
      if (renewed.kind === 'failed' || renewed.kind === 'closed') return false
      // A consent that has ended already has ended its channels too.
      if (renewed.kind === 'renewed') accessToken = renewed.tokens.accessToken
    }
    await stopAll(app, { stop }, { credentials: accessToken, server: oauth.apiUrl }, channels)
  }
  // An account that was connected again meanwhile uses the same consent.
  const [again] = await connectionOfAccount(app.sql, row.orgId, row.provider, row.accountDigest)
  if (again) return true
  return (await revokeToken(app, oauth, credentials.refreshToken)) === 'gone'
}
