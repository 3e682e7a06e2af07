// The identity platform of the Microsoft emulator: consent as the test decides it, codes that work once, refresh tokens that
// rotate, and errors with the codes of AADSTS.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { GraphAnswer } from './microsoftCalendarDelta.ts'

type MicrosoftAccount = { sub: string; tid: string; email: string }

/** The human's actions at the consent screen. `scopes` are those that they agree to. */
type Consent = { kind: 'agree'; account: MicrosoftAccount; scopes?: readonly string[] } | { kind: 'deny' }

type Code = {
  account: MicrosoftAccount
  scopes: readonly string[]
  redirectUri: string
  challenge: string | null
  nonce: string | null
  expiresMs: number
}
type Grant = { account: MicrosoftAccount; scopes: readonly string[] }
type Access = Grant & { expiresMs: number }

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyId = 'emulator'

export function openIdentity(now: () => number) {
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, Grant & { isUsed: boolean }>()
  const accessTokens = new Map<string, Access>()
  /** Accounts whose grants are over, and the code that says why. */
  const ended = new Map<string, number>()

  const settings = {
    clientId: 'calendar-client',
    clientSecret: 'calendar-secret',
    redirectUris: [] as string[],
    issuer: (_tid: string): string => '',
    consent: { kind: 'deny' } as Consent,
    accessSeconds: 3600,
    /** As at Microsoft, where a refresh token goes on working beside its successor. */
    keepsUsedTokens: true,
  }

  function authorize(query: URLSearchParams): GraphAnswer {
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== settings.clientId) return page('AADSTS700016: Application was not found.')
    if (!settings.redirectUris.includes(redirectUri)) return page('AADSTS50011: The redirect URI does not match.')
    const back = (parameters: Record<string, string>): GraphAnswer => {
      const state = query.get('state')
      const answer = new URLSearchParams({ ...parameters, ...(state !== null && { state }) })
      return { status: 302, headers: { location: `${redirectUri}?${answer}` } }
    }
    if (query.get('response_type') !== 'code') {
      return back({
        error: 'unsupported_response_type',
        error_description: 'AADSTS700051: response_type is not enabled.',
      })
    }
    const { consent } = settings
    if (consent.kind === 'deny') {
      return back({
        error: 'access_denied',
        error_description: 'AADSTS65004: User declined to consent to access the app.',
      })
    }
    const code = randomBytes(24).toString('base64url')
    const asked = (query.get('scope') ?? '').split(' ').filter(Boolean)
    codes.set(code, {
      account: consent.account,
      scopes: asked.filter(
        (scope) =>
          scope === 'openid' || scope === 'offline_access' || !consent.scopes || consent.scopes.includes(scope),
      ),
      redirectUri,
      challenge: query.get('code_challenge_method') === 'S256' ? query.get('code_challenge') : null,
      nonce: query.get('nonce'),
      expiresMs: now() + 600_000,
    })
    return back({ code, session_state: 'emulator' })
  }

  function token(form: URLSearchParams, authorization: string | undefined): GraphAnswer {
    const [id, secret] = credentialsOf(form, authorization)
    if (id !== settings.clientId) return refused(400, 'unauthorized_client', 700016, 'Application was not found.')
    if (secret !== settings.clientSecret)
      return refused(401, 'invalid_client', 7000215, 'Invalid client secret provided.')
    const kind = form.get('grant_type')
    if (kind === 'authorization_code') return redeem(form)
    if (kind === 'refresh_token') return refresh(form)
    return refused(400, 'unsupported_grant_type', 70003, 'The app requested an unsupported grant type.')
  }

  function redeem(form: URLSearchParams): GraphAnswer {
    const name = form.get('code') ?? ''
    const code = codes.get(name)
    codes.delete(name)
    if (!code) return refused(400, 'invalid_grant', 54005, 'OAuth2 Authorization code was already redeemed.')
    if (code.expiresMs <= now())
      return refused(400, 'invalid_grant', 70008, 'The provided authorization code is expired.')
    if (form.get('redirect_uri') !== code.redirectUri)
      return refused(400, 'invalid_grant', 500112, 'The reply address does not match.')
    const verifier = form.get('code_verifier') ?? ''
    if (code.challenge === null || createHash('sha256').update(verifier).digest('base64url') !== code.challenge) {
      return refused(400, 'invalid_grant', 501481, 'The Code_Verifier does not match the code_challenge.')
    }
    ended.delete(code.account.sub)
    return granted(code, code.nonce)
  }

  function refresh(form: URLSearchParams): GraphAnswer {
    const found = refreshTokens.get(form.get('refresh_token') ?? '')
    if (!found) return refused(400, 'invalid_grant', 9002313, 'Invalid request. The refresh token is malformed.')
    const end = ended.get(found.account.sub)
    if (end !== undefined) return refused(400, 'invalid_grant', end, 'The grant is over.')
    if (found.isUsed && !settings.keepsUsedTokens)
      return refused(400, 'invalid_grant', 70000, 'The provided grant is invalid.')
    found.isUsed = true
    return granted(found, null)
  }

  function accessTokenFor(account: MicrosoftAccount, scopes: readonly string[]): string {
    const access = `access-${randomBytes(24).toString('base64url')}`
    accessTokens.set(access, { account, scopes, expiresMs: now() + settings.accessSeconds * 1000 })
    return access
  }

  function granted({ account, scopes }: Grant, nonce: string | null): GraphAnswer {
    const access = accessTokenFor(account, scopes)
    const isOffline = scopes.includes('offline_access')
    const renewal = `refresh-${randomBytes(24).toString('base64url')}`
    if (isOffline) refreshTokens.set(renewal, { account, scopes, isUsed: false })
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        token_type: 'Bearer',
        scope: scopes.filter((scope) => scope !== 'offline_access').join(' '),
        expires_in: settings.accessSeconds,
        ext_expires_in: settings.accessSeconds,
        access_token: access,
        ...(isOffline && { refresh_token: renewal }),
        ...(scopes.includes('openid') && { id_token: idToken(account, nonce) }),
      },
    }
  }

  function idToken({ sub, tid, email }: MicrosoftAccount, nonce: string | null): string {
    // The check of a token uses real time.
    const seconds = Math.floor(Date.now() / 1000)
    const claims = {
      aud: settings.clientId,
      iss: settings.issuer(tid),
      iat: seconds,
      nbf: seconds,
      exp: seconds + 3600,
      sub,
      tid,
      ver: '2.0',
      preferred_username: email,
      email,
      ...(nonce !== null && { nonce }),
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${part({ typ: 'JWT', alg: 'RS256', kid: keyId })}.${part(claims)}`
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
  }

  return {
    settings,
    authorize,
    token,
    accessTokenFor,
    keys: (): GraphAnswer => ({
      status: 200,
      body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] },
    }),
    /** Undefined for a token that is unknown or over. */
    holderOf(authorization: string | undefined): Grant | undefined {
      const access = accessTokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '')
      return access && access.expiresMs > now() && !ended.has(access.account.sub) ? access : undefined
    },
    /** 50173: revoked; 65001: consent withdrawn; 53003: a policy of the organization. Until the human agrees again. */
    end(sub: string, code = 50173) {
      ended.set(sub, code)
    },
    /** Access tokens so far are over; refresh tokens work. */
    expireAccess() {
      accessTokens.clear()
    },
  }
}

function credentialsOf(form: URLSearchParams, authorization: string | undefined): [string, string] {
  const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
  if (basic === undefined) return [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
  return [id, secret]
}

const page = (text: string): GraphAnswer => ({ status: 400, body: text, headers: { 'content-type': 'text/html' } })

const refused = (status: number, error: string, code: number, text: string): GraphAnswer => ({
  status,
  body: {
    error,
    error_description: `AADSTS${code}: ${text} Trace ID: emulator Correlation ID: emulator`,
    error_codes: [code],
    timestamp: '2026-03-02 09:00:00Z',
    trace_id: 'emulator',
    correlation_id: 'emulator',
  },
})
