// A human comes back from a provider. Every outcome leads to one of our pages; a failure is named there in a word.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { ServiceError } from '../errors.ts'
import { networkOf } from '../outbound/addresses.ts'
import type { OauthProvider } from '../providers/oauthProvider.ts'
import type { Provider, RemoteCalendar } from '../providers/provider.ts'
import type { Capability } from '../providers/rules.ts'
import { secondsToWait, type Throttle } from '../quotas/throttle.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId } from '../shapes/ids.ts'
import { credentialsOf } from './account.ts'
import { connectAccount, connectionOf, type FoundAccount, reauthorize } from './connectAccount.ts'
import { type Authorization, exchangeCode, revokeToken } from './oauth.ts'
import { takeState } from './oauthStates.ts'
import { requireOauth } from './providers.ts'
import { connectionById } from './queries.ts'
import { type SetupLink, setupLinkOf } from './setupPage.ts'
import { redirectUrlOf } from './startOauth.ts'

export const failureReasons = [
  'denied',
  'expired',
  'scope_missing',
  'account_mismatch',
  'provider_error',
  'quota',
  'too_many',
  'unavailable',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** Ends the way with a page that says why. */
class Failure extends Error {
  readonly reason: FailureReason
  constructor(reason: FailureReason) {
    super(reason)
    this.reason = reason
  }
}

/** Per organization, whose people may all share one address; per address while no one is signed in. */
export const returns: Throttle = { name: 'connect_callback', max: 60, windowMs: minuteMs }

/** The path of the next page. `actor`: the signed-in human; `query`: the parameters that the provider sent. */
export async function finishOauth(
  app: App,
  { actor, ip }: { actor: Actor | undefined; ip: string | null },
  name: string,
  query: Readonly<Record<string, unknown>>,
): Promise<string> {
  try {
    if ((await secondsToWait(app, returns, actor?.orgId ?? networkOf(ip ?? ''))) > 0) throw new Failure('too_many')
    const linkId = await finish(app, actor, name, query)
    return linkId === undefined ? '/connect' : `/connect/links/${linkId}`
  } catch (error) {
    return failedPath(reasonOf(app, error))
  }
}

export const failedPath = (reason: FailureReason): string => `/connect/failed?reason=${reason}`

/** All that a provider does wrong is a `Failure`; the rest is ours. */
function reasonOf({ log }: App, error: unknown): FailureReason {
  if (error instanceof Failure) return error.reason
  if (error instanceof ServiceError && error.type === 'quota_exceeded') return 'quota'
  if (error instanceof ServiceError && error.status < 500) return 'expired'
  log.error({ err: error }, 'an account could not be connected')
  return 'unavailable'
}

async function finish(app: App, actor: Actor | undefined, name: string, query: Readonly<Record<string, unknown>>) {
  const { provider, oauth } = requireOauth(app, name, actor?.orgId ?? '')
  const state = typeof query.state === 'string' ? query.state : ''
  const oauthState =
    actor?.sessionId && (await takeState(app, { sessionId: actor.sessionId, provider: oauth.name, state }))
  if (!actor || !oauthState) throw new Failure('expired')
  if (query.error !== undefined) throw new Failure(query.error === 'access_denied' ? 'denied' : 'provider_error')
  const linkId = oauthState.linkId === null ? undefined : encodeId('csl', oauthState.linkId)
  const link = linkId === undefined ? undefined : await setupLinkOf(app, actor, linkId, {})
  const url = new URL(redirectUrlOf(app, oauth))
  for (const [key, value] of Object.entries(query)) if (typeof value === 'string') url.searchParams.set(key, value)
  const authorized = await exchangeCode(app, oauth, url, oauthState.secrets)
  if (authorized.kind !== 'authorized') throw new Failure('provider_error')
  try {
    return await keep(app, actor, { provider, oauth, authorized, oauthState, link })
  } catch (error) {
    // Nothing is stored, so the grant at the provider is revoked as well; unless a known connection uses it.
    const isKnown = await connectionOf(app, actor, { provider: oauth.name, name: authorized.subject })
    if (!isKnown) await revokeToken(app, oauth, authorized.tokens.refreshToken ?? authorized.tokens.accessToken)
    throw error
  }
}

type Returned = {
  provider: Provider
  oauth: OauthProvider
  authorized: Authorization
  oauthState: NonNullable<Awaited<ReturnType<typeof takeState>>>
  link: SetupLink | undefined
}

/** Stores the account; returns the link that the human goes on with, if there is one. */
async function keep(app: App, actor: Actor, { provider, oauth, authorized, oauthState, link }: Returned) {
  const { capabilities } = oauthState
  const granted = grantedBy(oauth, authorized, capabilities)
  if (isTooLittle(capabilities, granted)) throw new Failure('scope_missing')
  if (oauthState.connectionId !== null) {
    const [row] = await connectionById(app.sql, actor.orgId, oauthState.connectionId)
    if (!row || row.status === 'disconnected') throw new Failure('expired')
    const known = await connectionOf(app, actor, { provider: oauth.name, name: authorized.subject })
    if (known?.id !== row.id) throw new Failure('account_mismatch')
    const account = await accountBehind(app, provider, oauth, authorized, granted)
    await reauthorize(app, actor, row, account, capabilities, (detail) => detail)
    return undefined
  }
  const account = await accountBehind(app, provider, oauth, authorized, granted)
  await connectAccount(app, actor, account, { capabilities, timezone: link?.timezone ?? 'UTC', link })
  return link && encodeId('csl', link.row.id)
}

async function accountBehind(
  app: App,
  provider: Provider,
  oauth: OauthProvider,
  { tokens, subject, label }: Authorization,
  granted: Capability[],
): Promise<FoundAccount> {
  if (tokens.refreshToken === undefined) throw new Failure('provider_error')
  const listed = await provider.listCalendars({ credentials: tokens.accessToken, server: oauth.apiUrl })
  if (listed.kind !== 'listed') throw new Failure('provider_error')
  return {
    provider: oauth.name,
    name: subject,
    label: label ?? addressOf(listed.calendars) ?? null,
    credentials: credentialsOf(tokens, tokens.refreshToken, app.clock.now()),
    server: null,
    calendars: listed.calendars,
    granted,
  }
}

/** Some providers name the primary calendar by the address of its owner. */
const addressOf = (calendars: readonly RemoteCalendar[]): string | undefined =>
  calendars.find(({ isPrimary, remote }) => isPrimary && remote.includes('@'))?.remote

/** A provider that names no scopes has granted the requested ones. */
const grantedBy = (oauth: OauthProvider, { tokens }: Authorization, asked: readonly Capability[]): Capability[] =>
  oauth.grantedBy(tokens.scopes ?? new Set(oauth.scopesOf(asked)))

/** Without availability nothing is connected, if it was asked for; publishing may be missing beside it. */
const isTooLittle = (asked: readonly Capability[], granted: readonly Capability[]): boolean =>
  asked.includes('availability') ? !granted.includes('availability') : !granted.some((name) => asked.includes(name))
