// The providers of calendars as the pages name them.
import type { App } from '../../src/app.ts'
import { oauthProviders } from '../../src/connections/providers.ts'

export const providerNames = { google: 'Google', microsoft: 'Microsoft', caldav: 'CalDAV' } as const

/** Where the forms of a page may lead. */
export const formOriginsOf = (app: App): string[] => oauthProviders(app).map(({ origin }) => origin)
