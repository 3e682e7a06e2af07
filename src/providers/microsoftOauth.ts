// Microsoft as a provider of authorizations.

import type { CalendarProviders } from '../outbound/providers.ts'
import type { OauthProvider } from './oauthProvider.ts'
import type { Capability, ReauthorizationReason } from './rules.ts'

/** Without it there is no refresh token. */
const offline = 'offline_access'
const readScope = 'Calendars.Read'
const scopes: Record<Capability, string> = { availability: readScope, publishing: 'Calendars.ReadWrite' }

export const microsoftOauth = (settings: NonNullable<CalendarProviders['microsoft']>): OauthProvider => {
  const { client_id, client_secret, tenant, issuer, login_url, api_url } = settings
  const authority = `${login_url.replace(/\/+$/, '')}/${tenant}/oauth2/v2.0`
  return {
    name: 'microsoft',
    issuer,
    authorizationUrl: `${authority}/authorize`,
    tokenUrl: `${authority}/token`,
    revocationUrl: undefined,
    clientId: client_id,
    clientSecret: client_secret,
    apiUrl: api_url.replace(/\/+$/, ''),
    // To write is asked for beside to read: with the former alone Graph gives no subscriptions.
    scopesOf: (capabilities) => [...new Set([offline, readScope, ...capabilities.map((name) => scopes[name])])],
    grantedBy(granted) {
      const names = new Set([...granted].map(plainName))
      return (['availability', 'publishing'] as const).filter((name) => names.has(plainName(scopes[name])))
    },
    // People have accounts at work and at home, and are signed in to some.
    parameters: { prompt: 'select_account' },
    refusalOf,
  }
}

/** Microsoft writes scopes with and without the address of Graph, and in any case. */
const plainName = (scope: string): string => scope.slice(scope.lastIndexOf('/') + 1).toLowerCase()

/** The errors by which Microsoft says that the human must come back. */
const ofHuman = new Set(['invalid_grant', 'interaction_required', 'consent_required', 'login_required'])

/**
 * Conditional access (53000 to 53011), a second factor (50072 to 50079, 50158), an account that is disabled (50057), not
 * assigned (50105) or locked (50053), an application that is disabled (7000112) or needs an administrator (90094).
 */
const policyCodes = /AADSTS(530\d\d|5007[2-9]|50158|50057|50105|50053|7000112|90094)\b/

function refusalOf(error: string, description: string): ReauthorizationReason | undefined {
  if (!ofHuman.has(error)) return undefined
  return policyCodes.test(description) ? 'provider_policy' : 'grant_revoked'
}
