// The providers that this installation is set up for, for the buttons of a page.
import { z } from 'zod'
import type { App } from '../app.ts'

const provider = z.object({ id: z.string().meta({ example: 'google' }), name: z.string().meta({ example: 'Google' }) })

export const providerList = z
  .object({
    sign_in: z.array(provider).meta({ description: 'For `GET /v1/auth/oauth/{provider}`.' }),
    calendars: z.array(provider).meta({
      description: 'For `POST /v1/calendar-connections/oauth/{provider}/start`. CalDAV always works and is not listed.',
    }),
  })
  .meta({ id: 'Providers' })

/** Those whose names are not written like their ids. */
const names: Record<string, string> = { github: 'GitHub', gitlab: 'GitLab', linkedin: 'LinkedIn' }

const shown = (configured: object) =>
  Object.entries(configured)
    .filter(([, provider]) => provider !== undefined)
    .map(([id]) => ({ id, name: names[id] ?? nameOf(id) }))

const nameOf = (id: string): string =>
  id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

export const providersOf = ({ config }: App): z.infer<typeof providerList> => ({
  sign_in: shown(config.oidcProviders),
  calendars: shown(config.calendarProviders),
})
