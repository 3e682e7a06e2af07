// The provider of a connection.
import type { App } from '../app.ts'
import { type FeedParser, openFeedParser } from '../icalendar/feedParser.ts'
import { caldavProvider } from './providers/caldav.ts'
import type { Provider } from './providers/provider.ts'
import type { ProviderName } from './rules.ts'

function openProviders({ http }: App): Partial<Record<ProviderName, Provider>> {
  let parser: FeedParser | undefined
  const openParser = () => {
    parser ??= openFeedParser()
    return parser
  }
  return { caldav: caldavProvider(http, openParser) }
}

/** Undefined for a provider that this installation is not configured for. */
export const providerOf = (app: App, name: ProviderName): Provider | undefined => app.memory(openProviders)[name]
