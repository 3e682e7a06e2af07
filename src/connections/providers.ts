// The provider of a connection.
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { type FeedParser, openFeedParser } from '../icalendar/feedParser.ts'
import { caldavProvider } from '../providers/caldav.ts'
import { googleProvider } from '../providers/google.ts'
import { googleOauth } from '../providers/googleOauth.ts'
import { microsoftProvider } from '../providers/microsoft.ts'
import { microsoftOauth } from '../providers/microsoftOauth.ts'
import { type OauthProvider, type OauthProviderName, oauthProviderNames } from '../providers/oauthProvider.ts'
import type { Provider } from '../providers/provider.ts'
import { providerHttp } from '../providers/requests.ts'
import type { ProviderName } from '../providers/rules.ts'

function openProviders(app: App): Partial<Record<ProviderName, Provider>> {
  let parser: FeedParser | undefined
  const openParser = () => {
    parser ??= openFeedParser()
    return parser
  }
  const { google, microsoft } = app.config.calendarProviders
  return {
    caldav: caldavProvider(providerHttp(app, 'caldav'), openParser),
    ...(google && { google: googleProvider(providerHttp(app, 'google'), googleOauth(google)) }),
    ...(microsoft && { microsoft: microsoftProvider(providerHttp(app, 'microsoft'), microsoftOauth(microsoft)) }),
  }
}

/** Undefined for a provider that this installation is not configured for. */
export const providerOf = (app: App, name: ProviderName): Provider | undefined => app.memory(openProviders)[name]

/** A provider that is connected through OAuth. */
export function requireOauth(app: App, name: string): { provider: Provider; oauth: OauthProvider } {
  const provider = (oauthProviderNames as readonly string[]).includes(name)
    ? providerOf(app, name as OauthProviderName)
    : undefined
  if (!provider?.oauth) throw notFound('provider')
  return { provider, oauth: provider.oauth }
}

/** Those that this installation is configured for, with the origin that their humans are sent to. */
export const oauthProviders = (app: App): { name: OauthProviderName; origin: string }[] =>
  oauthProviderNames.flatMap((name) => {
    const oauth = providerOf(app, name)?.oauth
    return oauth ? [{ name, origin: new URL(oauth.authorizationUrl).origin }] : []
  })
