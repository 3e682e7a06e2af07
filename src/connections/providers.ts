// The provider of a connection.
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { caldavProvider } from '../providers/caldav.ts'
import { googleProvider } from '../providers/google.ts'
import { googleOauth } from '../providers/googleOauth.ts'
import { microsoftProvider } from '../providers/microsoft.ts'
import { microsoftOauth } from '../providers/microsoftOauth.ts'
import { type OauthProvider, type OauthProviderName, oauthProviderNames } from '../providers/oauthProvider.ts'
import type { Provider } from '../providers/provider.ts'
import { providerHttp } from '../providers/requests.ts'
import type { ProviderName } from '../providers/rules.ts'

/** Undefined if this installation is not configured for it. */
function oauthOf({ config }: App, name: OauthProviderName): OauthProvider | undefined {
  const { google, microsoft } = config.calendarProviders
  return name === 'google' ? google && googleOauth(google) : microsoft && microsoftOauth(microsoft)
}

/** Undefined for a provider that this installation is not configured for. `orgId`: for whom it is asked. */
export function providerOf(app: App, name: ProviderName, orgId: string): Provider | undefined {
  const reader = app.foreign.of(orgId)
  if (name === 'caldav') return caldavProvider(providerHttp(app, name), reader)
  const oauth = oauthOf(app, name)
  const open = name === 'google' ? googleProvider : microsoftProvider
  return oauth && open(providerHttp(app, name), reader, oauth)
}

/** A provider that is connected through OAuth. */
export function requireOauth(app: App, name: string, orgId: string): { provider: Provider; oauth: OauthProvider } {
  const provider = (oauthProviderNames as readonly string[]).includes(name)
    ? providerOf(app, name as OauthProviderName, orgId)
    : undefined
  if (!provider?.oauth) throw notFound('provider')
  return { provider, oauth: provider.oauth }
}

/** Those that this installation is configured for, with the origin that their humans are sent to. */
export const oauthProviders = (app: App): { name: OauthProviderName; origin: string }[] =>
  oauthProviderNames.flatMap((name) => {
    const oauth = oauthOf(app, name)
    return oauth ? [{ name, origin: new URL(oauth.authorizationUrl).origin }] : []
  })
