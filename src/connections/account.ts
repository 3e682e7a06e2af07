// The tokens of an OAuth account: sealed beside its connection, and renewed in time by one process at a time.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { OauthProvider } from '../providers/oauthProvider.ts'
import type { Account, Closed, Failed, Refused } from '../providers/provider.ts'
import type { ProviderName } from '../providers/rules.ts'
import { minuteMs } from '../shapes/durations.ts'
import { renewTokens, type Tokens } from './oauth.ts'
import { providerOf } from './providers.ts'
import { credentialsContext, serverContext } from './sealed.ts'
import { claimRenewal, endRenewal, storeTokens, type TokenKey, tokensNow } from './tokenWrites.ts'

/** Tokens that end sooner are renewed before they are used. */
const remainingMs = 5 * minuteMs
/** A renewal that is not over by then was lost with its process. */
const leaseMs = 30_000
const pollMs = 100

type OauthCredentials = { accessToken: string; refreshToken: string; expiresAt: string }

/** The sealed tokens. If the provider sends no new refresh token, the old one stays. */
export const credentialsOf = (tokens: Tokens, refreshToken: string, now: Date): string =>
  JSON.stringify({
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken ?? refreshToken,
    expiresAt: new Date(now.getTime() + tokens.expiresInSeconds * 1000).toISOString(),
  } satisfies OauthCredentials)

export const readCredentials = (text: string): OauthCredentials => JSON.parse(text) as OauthCredentials

type StoredTokens = TokenKey & {
  provider: ProviderName
  credentialsSealed: Buffer
  credentialsVersion: number
  serverSealed: Buffer | null
}

/** `version` counts the tokens; `isNew`: no request has used these before. */
type UsableAccount = { kind: 'account'; account: Account; version: number; isNew: boolean }
type Unusable = Failed | Refused | Closed

/**
 * The account of a connection, as its provider takes it. With OAuth its access token lasts for five minutes more, if the
 * provider gives such. `refused`: the tokens of this version were refused, so others are needed.
 */
export async function accountOf(
  app: App,
  stored: StoredTokens,
  refused?: { version: number },
): Promise<UsableAccount | Unusable> {
  const provider = providerOf(app, stored.provider, stored.orgId)
  if (!provider) return failed('The provider is not configured.')
  const { oauth } = provider
  const text = app.sealer.unseal(credentialsContext(stored.id), stored.credentialsSealed)
  if (!oauth) {
    if (refused) return { kind: 'refused' }
    const server = app.sealer.unseal(serverContext(stored.id), stored.serverSealed!)
    return { kind: 'account', account: { credentials: text, server }, version: 0, isNew: false }
  }
  const credentials = readCredentials(text)
  const isRefused = refused !== undefined && refused.version === stored.credentialsVersion
  const leftMs = Date.parse(credentials.expiresAt) - app.clock.now().getTime()
  if (!isRefused && leftMs > remainingMs)
    return usable(oauth, credentials.accessToken, stored.credentialsVersion, false)
  return renew(app, oauth, stored, credentials, isRefused ? 0 : leftMs)
}

const usable = (oauth: OauthProvider, accessToken: string, version: number, isNew: boolean): UsableAccount => ({
  kind: 'account',
  account: { credentials: accessToken, server: oauth.apiUrl },
  version,
  isNew,
})

/** `leftMs`: how long the tokens can be used meanwhile. */
async function renew(
  app: App,
  oauth: OauthProvider,
  stored: StoredTokens,
  credentials: OauthCredentials,
  leftMs: number,
): Promise<UsableAccount | Unusable> {
  const { credentialsVersion: version } = stored
  const [claimed] = await claimRenewal(app.sql, stored, version, leaseMs)
  if (!claimed)
    return leftMs > minuteMs
      ? usable(oauth, credentials.accessToken, version, false)
      : await winnersTokens(app, oauth, stored)
  const renewed = await renewTokens(app, oauth, credentials.refreshToken)
  if (renewed.kind !== 'renewed') {
    await endRenewal(app.sql, stored, version)
    return renewed
  }
  const kept = credentialsOf(renewed.tokens, credentials.refreshToken, app.clock.now())
  const [written] = await storeTokens(app.sql, stored, version, app.sealer.seal(credentialsContext(stored.id), kept))
  // Another authorization of the account has stored newer tokens.
  if (!written) return winnersTokens(app, oauth, stored)
  return usable(oauth, renewed.tokens.accessToken, version + 1, true)
}

/** The tokens that the faster process has stored. */
async function winnersTokens(app: App, oauth: OauthProvider, stored: StoredTokens): Promise<UsableAccount | Unusable> {
  const over = performance.now() + leaseMs
  while (performance.now() < over) {
    const [row] = await tokensNow(app.sql, stored)
    if (!row?.credentialsSealed) return failed('The connection has ended.')
    if (row.credentialsVersion > stored.credentialsVersion) {
      const { accessToken } = readCredentials(app.sealer.unseal(credentialsContext(stored.id), row.credentialsSealed))
      return usable(oauth, accessToken, row.credentialsVersion, true)
    }
    // The winner failed, and the next attempt finds out for itself.
    if (!row.isRenewing) return failed('The provider gave no new tokens.')
    await pause(pollMs)
  }
  return failed('The provider gave no new tokens.')
}

const failed = (message: string): Failed => ({ kind: 'failed', category: 'provider_error', message })
