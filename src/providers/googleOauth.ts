// Google as a provider of authorizations.

import type { CalendarProviders } from '../outbound/providers.ts'
import type { OauthProvider } from './oauthProvider.ts'
import type { Capability } from './rules.ts'

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

/** Without it the calendars of an account cannot be listed. */
const lists = scope('calendar.calendarlist.readonly')
const scopes: Record<Capability, string> = {
  availability: scope('calendar.events.freebusy'),
  publishing: scope('calendar.events.owned'),
}

export const googleOauth = (settings: NonNullable<CalendarProviders['google']>): OauthProvider => ({
  name: 'google',
  issuer: settings.issuer,
  authorizationUrl: settings.authorization_url,
  tokenUrl: settings.token_url,
  revocationUrl: settings.revocation_url,
  clientId: settings.client_id,
  clientSecret: settings.client_secret,
  apiUrl: settings.api_url.replace(/\/+$/, ''),
  scopesOf: (capabilities) => [lists, ...capabilities.map((name) => scopes[name])],
  grantedBy: (granted) =>
    granted.has(lists) ? (['availability', 'publishing'] as const).filter((name) => granted.has(scopes[name])) : [],
  // A refresh token is given only with both of the first.
  parameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  refusalOf: (error, description) => {
    if (error !== 'invalid_grant') return undefined
    return /policy|admin/i.test(description) ? 'provider_policy' : 'grant_revoked'
  },
})
