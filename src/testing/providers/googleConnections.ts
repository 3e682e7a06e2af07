// A human of an organization with a console session and a Google account, and their actions.

import { openTestService } from '../harness.ts'
import { openOauthDesk } from '../oauthDesk.ts'
import { perFile, serviceTest } from '../test.ts'
import { openGoogleServer } from './googleCalendarServer.ts'

/** `desk` is a new organization for each test, with an agent, its calendar, and a Google account of its own. */
export const googleTest = (env: Record<string, string> = {}) =>
  serviceTest()
    .extend('google', perFile, async ({ options: _ }, { onCleanup }) => {
      const google = await openGoogleServer()
      onCleanup(google.close)
      return google
    })
    .override('service', perFile, async ({ google }, { onCleanup }) => {
      const service = await openTestService({
        env: { CALENDAR_PROVIDERS: JSON.stringify({ google: google.settings }), ...env },
      })
      const { baseUrl } = service.app.config
      google.oauth.redirectUris = [`${baseUrl}/v1/calendar-connections/oauth/google/callback`]
      google.channels.reachable.set(baseUrl, service.baseUrl)
      google.setClock(() => service.clock.now().getTime())
      onCleanup(service.close)
      return service
    })
    .extend('desk', async ({ service, google, task }) => {
      const email = `ada-${task.id}@gmail.com`
      google.addAccount(email, { timeZone: 'Europe/Berlin' })
      Object.assign(google, { quirk: () => undefined })
      Object.assign(google.oauth, { tokenSeconds: 3599, isClientInvalid: false, isRotating: false })
      Object.assign(google.oauth.consent, { email, isDenied: false, without: [], tampered: {} })
      google.asked.length = 0

      return { ...(await openOauthDesk(service, 'google')), email }
    })
