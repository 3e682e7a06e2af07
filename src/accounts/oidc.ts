// Identity providers: OpenID Connect, authorization code flow with PKCE, state and nonce.
import * as client from 'openid-client'
import type { App } from '../app.ts'
import { notFound, overloaded, unauthenticated } from '../errors.ts'
import type { OidcProvider } from '../outbound/providers.ts'
import type { SignInState } from './state.ts'

const timeoutSeconds = 10
const documentAgeMs = 60 * 60_000

type Known = { configuration: Promise<client.Configuration>; readAt: number }
const openKnown = () => new Map<string, Known>()
const knownOf = (app: App) => app.memory(openKnown)

export function requireProvider({ config }: App, name: string): OidcProvider {
  const provider = Object.hasOwn(config.oidcProviders, name) ? config.oidcProviders[name] : undefined
  if (!provider) throw notFound('provider')
  return provider
}

/** The provider's discovery document, read once an hour; concurrent sign-ins share one read. */
async function configurationOf(app: App, name: string): Promise<client.Configuration> {
  const provider = requireProvider(app, name)
  const known = knownOf(app)
  const last = known.get(name)
  const current = last && Date.now() - last.readAt < documentAgeMs ? last : readDocument(provider)
  known.set(name, current)
  try {
    return await current.configuration
  } catch (error) {
    if (known.get(name) === current) known.delete(name)
    app.log.warn({ provider: name, error: (error as Error).message }, 'an identity provider does not answer')
    throw overloaded('The provider does not answer at the moment. Try again.')
  }
}

function readDocument(provider: OidcProvider): Known {
  const isPlain = provider.issuer.startsWith('http:')
  const configuration = client.discovery(
    new URL(provider.issuer),
    provider.client_id,
    { client_secret: provider.client_secret },
    undefined,
    { timeout: timeoutSeconds, execute: isPlain ? [client.allowInsecureRequests] : [] },
  )
  return { configuration, readAt: Date.now() }
}

const callbackOf = ({ config }: App, name: string) => `${config.baseUrl}/v1/auth/oauth/${name}/callback`

/**
 * The address to which the browser is sent, and the state that must come back with it. `again`: the provider asks somebody who is
 * signed in there to sign in again.
 */
export async function beginSignIn(
  app: App,
  name: string,
  { tos, again }: { tos?: string | undefined; again?: boolean } = {},
): Promise<{ url: string; state: SignInState }> {
  const configuration = await configurationOf(app, name)
  const verifier = client.randomPKCECodeVerifier()
  const state: SignInState = {
    provider: name,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier,
    tos,
  }
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(app, name),
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: state.state,
    nonce: state.nonce,
    ...(again && { prompt: 'login', max_age: '0' }),
  })
  return { url: url.href, state }
}

export type Identity = {
  issuer: string
  subject: string
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
  /** When the person last signed in at the provider, if it says so. */
  authTime: Date | undefined
}

/** Exchanges the code for the identity; throws 401 if the provider does not confirm it. */
export async function finishSignIn(app: App, expected: SignInState, query: URLSearchParams): Promise<Identity> {
  const configuration = await configurationOf(app, expected.provider)
  const url = new URL(callbackOf(app, expected.provider))
  url.search = query.toString()
  try {
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: expected.verifier,
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: textOf(claims.email),
      emailVerified: claims.email_verified === true,
      name: textOf(claims.name),
      authTime: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : undefined,
    }
  } catch (error) {
    app.log.info({ provider: expected.provider, reason: (error as Error).name }, 'a sign-in through a provider failed')
    throw unauthenticated('The provider did not confirm this sign-in. Begin again.')
  }
}

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' && claim !== '' ? claim : undefined)
