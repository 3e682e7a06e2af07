// The emulator's consent page, tokens and revocation, with Google's rules: a refresh token only for `offline` and `consent`,
// codes that are good once, an exact redirect address, and PKCE.
import { createHash, randomBytes } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import type { GoogleAccount } from './googleCalendarAccounts.ts'

type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

/** The answer of the next human at the consent page. */
type Consent = {
  email: string
  isDenied: boolean
  /** Scopes that they leave out. */
  without: readonly string[]
  /** The change by somebody in the middle. */
  tampered: { nonce?: string; iss?: string; state?: string }
}

type Grant = { email: string; scopes: string[]; isRevoked: boolean }
type Code = {
  grant: Grant
  challenge: string
  redirectUri: string
  nonce: string
  isOffline: boolean
  expiresMs: number
}
type AccessToken = { grant: Grant; expiresMs: number }

const codeMs = 10 * 60_000

export const clientId = 'calendar.apps.googleusercontent.com'
export const clientSecret = 'GOCSPX-secret-of-the-tests'

export async function openGoogleOauth(accounts: ReadonlyMap<string, GoogleAccount>) {
  const { privateKey } = await generateKeyPair('RS256')
  const codes = new Map<string, Code>()
  /** The scopes that each human has allowed so far. */
  const allowed = new Map<string, ReadonlySet<string>>()
  const accessTokens = new Map<string, AccessToken>()
  const refreshTokens = new Map<string, Grant>()
  const random = (prefix: string) => prefix + randomBytes(24).toString('base64url')
  const failed = (status: number, error: string, error_description: string): Answer => ({
    status,
    body: { error, error_description },
  })

  const oauth = {
    issuer: '',
    now: () => Date.now(),
    consent: { email: '', isDenied: false, without: [], tampered: {} } as Consent,
    /** Where the application may be led back to; undefined: anywhere. */
    redirectUris: undefined as string[] | undefined,
    /** How long an access token is good. */
    tokenSeconds: 3599,
    /** The client secret has ended. */
    isClientInvalid: false,
    /** Refresh tokens are exchanged for others, each good once. */
    isRotating: false,
    /** All that a human has allowed. */
    revokeGrants(email: string): void {
      allowed.delete(email)
      for (const grant of [...refreshTokens.values(), ...[...accessTokens.values()].map(({ grant }) => grant)]) {
        if (grant.email === email) grant.isRevoked = true
      }
    },
    expireTokens(): void {
      for (const token of accessTokens.values()) token.expiresMs = 0
    },
    refreshTokens: () => [...refreshTokens].flatMap(([token, { isRevoked }]) => (isRevoked ? [] : [token])),
    /** An access token, past the consent page. */
    tokenFor: (email: string, scopes: string): string =>
      tokensOf({ email, scopes: scopes.split(' '), isRevoked: false }).access_token,
    holderOf(authorization: string | undefined): { email: string; scopes: readonly string[] } | undefined {
      const token = accessTokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
      return token && !token.grant.isRevoked && token.expiresMs > oauth.now() ? token.grant : undefined
    },

    authorize(query: URLSearchParams): Answer {
      const redirectUri = query.get('redirect_uri') ?? ''
      if (query.get('client_id') !== clientId) return failed(401, 'invalid_client', 'The OAuth client was not found.')
      if (oauth.redirectUris && !oauth.redirectUris.includes(redirectUri)) {
        return failed(400, 'redirect_uri_mismatch', 'The redirect URI is not registered.')
      }
      if (query.get('response_type') !== 'code') return failed(400, 'unsupported_response_type', 'Use code.')
      const { consent } = oauth
      const back = new URL(redirectUri)
      back.searchParams.set('state', consent.tampered.state ?? query.get('state') ?? '')
      back.searchParams.set('iss', consent.tampered.iss ?? oauth.issuer)
      if (consent.isDenied) back.searchParams.set('error', 'access_denied')
      else {
        const agreed = (query.get('scope') ?? '').split(' ').filter((one) => !consent.without.includes(one))
        const earlier = query.get('include_granted_scopes') === 'true' ? allowed.get(consent.email) : undefined
        const scopes = [...new Set([...agreed, ...(earlier ?? [])])]
        allowed.set(consent.email, new Set([...scopes, ...(allowed.get(consent.email) ?? [])]))
        const code = random('4/')
        codes.set(code, {
          grant: { email: consent.email, scopes, isRevoked: false },
          challenge: query.get('code_challenge_method') === 'S256' ? (query.get('code_challenge') ?? '') : '',
          redirectUri,
          nonce: consent.tampered.nonce ?? query.get('nonce') ?? '',
          isOffline: query.get('access_type') === 'offline' && query.get('prompt') === 'consent',
          expiresMs: oauth.now() + codeMs,
        })
        back.searchParams.set('code', code)
        back.searchParams.set('scope', scopes.join(' '))
      }
      return { status: 302, headers: { location: back.href } }
    },

    async token(form: URLSearchParams): Promise<Answer> {
      if (oauth.isClientInvalid || form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
        return failed(401, 'invalid_client', 'The provided client secret is invalid.')
      }
      if (form.get('grant_type') === 'refresh_token') return refresh(form.get('refresh_token') ?? '')
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!code || code.expiresMs <= oauth.now()) return failed(400, 'invalid_grant', 'Malformed auth code.')
      if (code.redirectUri !== form.get('redirect_uri') || code.challenge !== verifier) {
        return failed(400, 'invalid_grant', 'Bad Request')
      }
      const refreshToken = code.isOffline ? random('1//') : undefined
      if (refreshToken) refreshTokens.set(refreshToken, code.grant)
      const tokens = tokensOf(code.grant)
      return {
        status: 200,
        body: {
          ...tokens,
          ...(refreshToken && { refresh_token: refreshToken }),
          ...(code.grant.scopes.includes('openid') && { id_token: await idToken(code) }),
        },
      }
    },

    revoke(form: URLSearchParams): Answer {
      const token = form.get('token') ?? ''
      const grant = refreshTokens.get(token) ?? accessTokens.get(token)?.grant
      if (!grant || grant.isRevoked) return failed(400, 'invalid_token', 'Token expired or revoked')
      // Google revokes all that the human has allowed this application.
      oauth.revokeGrants(grant.email)
      return { status: 200, body: {} }
    },
  }

  function refresh(token: string): Answer {
    const grant = refreshTokens.get(token)
    if (!grant || grant.isRevoked) return failed(400, 'invalid_grant', 'Token has been expired or revoked.')
    if (!oauth.isRotating) return { status: 200, body: tokensOf(grant) }
    const next = random('1//')
    refreshTokens.delete(token)
    refreshTokens.set(next, grant)
    return { status: 200, body: { ...tokensOf(grant), refresh_token: next } }
  }

  function tokensOf(grant: Grant) {
    const accessToken = random('ya29.')
    accessTokens.set(accessToken, { grant, expiresMs: oauth.now() + oauth.tokenSeconds * 1000 })
    return {
      access_token: accessToken,
      expires_in: oauth.tokenSeconds,
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
    }
  }

  const idToken = ({ grant, nonce }: Code) =>
    new SignJWT({ nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(oauth.issuer)
      .setAudience(clientId)
      .setSubject(accounts.get(grant.email)?.sub ?? 'nobody')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)

  return oauth
}
