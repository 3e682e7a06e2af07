// A human with a console session and a Microsoft account.
import { openTestService } from '../harness.ts'
import { openOauthDesk } from '../oauthDesk.ts'
import { perFile, serviceTest } from '../test.ts'
import { openMicrosoftServer } from './microsoftCalendarServer.ts'

const tid = '11111111-2222-3333-4444-555555555555'

/** `desk` is a new organization for each test, with an agent, its calendar, and a Microsoft account of its own. */
export const microsoftTest = (env: Record<string, string> = {}) =>
  serviceTest()
    .extend('microsoft', perFile, async ({ options: _ }, { onCleanup }) => {
      const microsoft = await openMicrosoftServer()
      onCleanup(microsoft.close)
      return microsoft
    })
    .override('service', perFile, async ({ microsoft }, { onCleanup }) => {
      // As for the tenant `common`: every account names its own.
      const settings = { ...microsoft.configuration(tid), issuer: `${microsoft.origin}/{tenantid}/v2.0` }
      const service = await openTestService({
        env: { CALENDAR_PROVIDERS: JSON.stringify({ microsoft: settings }), ...env },
      })
      microsoft.clock = () => service.clock.now().getTime()
      const { baseUrl } = service.app.config
      microsoft.identity.settings.redirectUris.push(`${baseUrl}/v1/calendar-connections/oauth/microsoft/callback`)
      microsoft.reachable.set(baseUrl, service.baseUrl)
      onCleanup(service.close)
      return service
    })
    .extend('desk', async ({ service, microsoft, task }, { onCleanup }) => {
      const account = { sub: `sub-${task.id}`, tid, email: `ada-${task.id}@example.com` }
      microsoft.identity.settings.consent = { kind: 'agree', account }
      Object.assign(microsoft.identity.settings, {
        accessSeconds: 3600,
        keepsUsedTokens: true,
        clientSecret: 'calendar-secret',
      })
      microsoft.quirk = () => undefined
      microsoft.onSubscribe = async () => {}
      microsoft.subscriptions.dieSilently()
      microsoft.mailbox.clear()
      microsoft.mailbox.addCalendar('home', { name: 'Calendar' })
      microsoft.mailbox.addCalendar('team', { name: 'Team', isShared: true })
      microsoft.asked.length = 0
      const desk = await openOauthDesk(service, 'microsoft')
      // Later tests do not read the connections of a test.
      onCleanup(async () => {
        const { status, body } = await desk.session('GET', '/v1/calendar-connections')
        // A session may have ended by the clock.
        for (const { id } of status === 200 ? body.data : [])
          await desk.ok('DELETE', `/v1/calendar-connections/${id}`, undefined, 204)
      })
      return { ...desk, account }
    })
