// Authorizations at calendar providers: the code flow with PKCE, state and nonce, and token renewal. The addresses of a
// provider are known, so nothing is discovered. Each function returns its outcome and never throws.
import * as client from 'openid-client'
import type { App } from '../app.ts'
import type { OauthProvider } from '../providers/oauthProvider.ts'
import type { Closed, Failed, Refused } from '../providers/provider.ts'
import type { PacedApp } from '../providers/providerPace.ts'
import { providerHttp } from '../providers/requests.ts'
import { retryAfterMsOf } from '../providers/retryAfter.ts'

const deadlineMs = 10_000
const maxBytes = 64 * 1024
/** An ID token comes from the provider itself over TLS, so its signature adds nothing. These are the names that it may have. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256']

type Way = PacedApp & Pick<App, 'http' | 'metrics'>
type OauthSecrets = { state: string; nonce: string; verifier: string }

/** `expiresInSeconds` is how long the access token lasts; `scopes`: undefined if they are those that were asked for. */
export type Tokens = {
  accessToken: string
  refreshToken: string | undefined
  expiresInSeconds: number
  scopes: ReadonlySet<string> | undefined
}

export type Authorization = { kind: 'authorized'; tokens: Tokens; subject: string; label: string | null }

export const newOauthSecrets = (): OauthSecrets => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
})

/** The address that the human is sent to. */
export async function authorizationUrl(
  provider: OauthProvider,
  redirectUrl: string,
  scopes: readonly string[],
  { state, nonce, verifier }: OauthSecrets,
): Promise<string> {
  const url = client.buildAuthorizationUrl(plainConfiguration(provider, provider.issuer), {
    redirect_uri: redirectUrl,
    scope: ['openid', ...scopes].join(' '),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...provider.parameters,
  })
  return url.href
}

/** `url` is the address that the human came back to, with the code. `failed` for whatever the provider does not confirm. */
export async function exchangeCode(
  app: Way,
  provider: OauthProvider,
  url: URL,
  { state, nonce, verifier }: OauthSecrets,
): Promise<Authorization | Failed | Refused | Closed> {
  const configuration = await configurationOf(app, provider)
  try {
    const tokens = await client.authorizationCodeGrant(configuration.value, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    const label = [claims.email, claims.preferred_username].find((one) => typeof one === 'string' && one !== '')
    return { kind: 'authorized', tokens: tokensOf(tokens), subject: claims.sub, label: (label as string) ?? null }
  } catch (error) {
    return configuration.troubleOf(error)
  }
}

export async function renewTokens(
  app: Way,
  provider: OauthProvider,
  refreshToken: string,
): Promise<{ kind: 'renewed'; tokens: Tokens } | Failed | Refused | Closed> {
  const configuration = await configurationOf(app, provider)
  try {
    const tokens = await client.refreshTokenGrant(configuration.value, refreshToken)
    return { kind: 'renewed', tokens: tokensOf(tokens) }
  } catch (error) {
    return configuration.troubleOf(error)
  }
}

/** `gone`: the provider knows it no longer, or cannot revoke anything. */
export async function revokeToken(
  app: Way,
  { name, revocationUrl }: OauthProvider,
  token: string,
): Promise<'gone' | 'failed'> {
  if (revocationUrl === undefined) return 'gone'
  const outcome = await providerHttp(app, name).send({
    method: 'POST',
    url: revocationUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
    deadlineMs,
    maxBytes,
  })
  if (outcome.kind === 'failed') return 'failed'
  return outcome.status === 200 || outcome.status === 400 ? 'gone' : 'failed'
}

const tokensOf = (answer: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers): Tokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
  expiresInSeconds: answer.expiresIn() ?? 3600,
  scopes: answer.scope === undefined ? undefined : new Set(answer.scope.split(' ').filter(Boolean)),
})

function plainConfiguration(provider: OauthProvider, issuer: string): client.Configuration {
  const configuration = new client.Configuration(metadataOf(provider, issuer), provider.clientId, {
    client_secret: provider.clientSecret,
  })
  client.allowInsecureRequests(configuration)
  return configuration
}

const metadataOf = (provider: OauthProvider, issuer: string) => ({
  issuer,
  authorization_endpoint: provider.authorizationUrl,
  token_endpoint: provider.tokenUrl,
  id_token_signing_alg_values_supported: algorithms,
})

/** The one origin for which the package compares the issuer with a pattern. Nothing is asked of it: the document is ours. */
const patternOrigin = 'https://login.microsoftonline.com/common/v2.0'

/** For one call: its requests leave through our own door, which decides which addresses may be reached. */
async function configurationOf(app: Way, provider: OauthProvider) {
  let seen: Failed | Closed | undefined
  const send: client.CustomFetch = async (url, { method, headers, body }) => {
    const text = body === null || body === undefined ? undefined : String(body)
    const outcome = await providerHttp(app, provider.name).send({
      method: method as 'POST',
      url,
      headers,
      ...(text !== undefined && { body: text }),
      deadlineMs,
      maxBytes,
      gzip: true,
    })
    if (outcome.kind === 'failed') {
      seen = outcome.reason === 'closed' ? { kind: 'closed' } : failed('unreachable')
      throw new TypeError('the provider was not reached')
    }
    if (outcome.status === 429) seen = { ...failed('rate_limited'), ...retryAfterMsOf(outcome.headers) }
    else if (outcome.status >= 500) seen = failed('provider_error')
    const shown = Object.entries(outcome.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return new Response(outcome.body.toString('utf8'), { status: outcome.status, headers: shown as [string, string][] })
  }
  const value = provider.issuer.includes('{tenantid}')
    ? await client.discovery(
        new URL(patternOrigin),
        provider.clientId,
        { client_secret: provider.clientSecret },
        undefined,
        {
          [client.customFetch]: async () => Response.json(metadataOf(provider, provider.issuer)),
        },
      )
    : plainConfiguration(provider, provider.issuer)
  client.allowInsecureRequests(value)
  value[client.customFetch] = send
  return { value, troubleOf: (error: unknown) => seen ?? refusal(app, provider, error) }
}

function refusal({ log }: Way, provider: OauthProvider, error: unknown): Failed | Refused {
  if (error instanceof client.ResponseBodyError) {
    const reason = provider.refusalOf(error.error, error.error_description ?? '')
    if (reason !== undefined) return { kind: 'refused', reason }
    // Most likely our own trouble, such as a client secret that has ended: no human can mend it.
    log.error({ provider: provider.name, error: error.error }, 'a provider of calendars refuses this installation')
    return failed('provider_error')
  }
  log.warn({ provider: provider.name, reason: (error as Error).name }, 'an authorization could not be finished')
  return failed(error instanceof client.WWWAuthenticateChallengeError ? 'provider_error' : 'malformed')
}

const sentences = {
  unreachable: 'The provider did not answer in time.',
  rate_limited: 'The provider limits our requests at the moment.',
  provider_error: 'The provider failed.',
  malformed: 'The answer of the provider cannot be understood.',
}

const failed = (category: keyof typeof sentences): Failed => ({
  kind: 'failed',
  category,
  message: sentences[category],
})
