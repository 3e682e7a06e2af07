// The service as it runs, and the three providers that it reads and writes: emulators of Google and Microsoft, and a
// real CalDAV server.
import type { Sql } from 'postgres'
import { googleError } from '../../src/testing/providers/googleCalendarAnswers.ts'
import { openGoogleServer } from '../../src/testing/providers/googleCalendarServer.ts'
import { graphError } from '../../src/testing/providers/microsoftCalendarDelta.ts'
import { openMicrosoftServer } from '../../src/testing/providers/microsoftCalendarServer.ts'
import { callOf } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, type Opened, openAll } from '../world/opened.ts'
import { openRadicale, type Radicale } from './radicale.ts'
import { clockOf, type SetClock } from './setClock.ts'
import { openTraces } from './traces.ts'
import { type Asked, openTraffic, type Traffic } from './traffic.ts'

type Google = Awaited<ReturnType<typeof openGoogleServer>>
type Microsoft = Awaited<ReturnType<typeof openMicrosoftServer>>

export type Site = Installation &
  Closable & {
    call: ReturnType<typeof callOf>
    /** The trial's own way into the database. */
    sql: Sql
    clock: SetClock
    traffic: Traffic
    google: Google
    microsoft: Microsoft
    radicale: Radicale
    /** All traces, as sent. */
    traces(): string
  }

/** The public address of the service. */
const publicUrl = 'https://calendar.example.com'
export const tenant = '11111111-2222-3333-4444-555555555555'

/** `isTraced`: its processes log everything and send their traces here. */
type Shape = {
  workers: number
  apis?: number
  isTraced?: boolean
  /** The folder of the code; without it, this repository. */
  root?: string
}

export const openSite = (shape: Shape): Promise<Site> => openAll('human-calendars', (opened) => open(opened, shape))

async function open(
  opened: Opened,
  { workers, apis = 1, isTraced = false, root }: Shape,
): Promise<Omit<Site, keyof Closable>> {
  const traffic = openTraffic()
  const google = await openGoogleServer()
  opened.onClose(() => google.close())
  const microsoft = await openMicrosoftServer()
  opened.onClose(() => microsoft.close())
  const radicale = await openRadicale(opened, traffic)
  const { clock, execArgv, env } = clockOf(opened.dataDir)
  disturb(google, microsoft, traffic)
  google.setClock(clock.now)
  microsoft.clock = clock.now

  const providers = {
    google: google.settings,
    microsoft: { ...microsoft.configuration(tenant), issuer: `${microsoft.origin}/{tenantid}/v2.0` },
  }
  const traces = await openTraces(opened.onClose)
  const traced = {
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    ...{ OTEL_BSP_SCHEDULE_DELAY: '500', LOG_LEVEL: 'trace' },
  }
  const installation = await openInstallation(opened, {
    ...{ apis, workers, durable: true, execArgv, ...(root !== undefined && { root }) },
    env: {
      ...env,
      BASE_URL: publicUrl,
      CALENDAR_PROVIDERS: JSON.stringify(providers),
      // The trial acts as the balancer: it says which address asks.
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
      ...(isTraced && traced),
    },
  })
  const [api] = installation.baseUrls
  google.channels.reachable.set(publicUrl, api)
  microsoft.reachable.set(publicUrl, api)
  microsoft.identity.settings.redirectUris.push(`${publicUrl}/v1/calendar-connections/oauth/microsoft/callback`)
  const sql = installation.connect()
  opened.onClose(() => sql.end({ timeout: 1 }))
  return { ...installation, call: callOf(api), sql, clock, traffic, google, microsoft, radicale, traces: traces.text }
}

/** The emulators follow the traffic's orders. */
function disturb(google: Google, microsoft: Microsoft, traffic: Traffic): void {
  google.quirk = (asked) => {
    google.delayMs = traffic.answerMs
    const fate = traffic.note({ provider: 'google', ...wordsOf(asked) })
    if (fate === 'throttle') return { kind: 'answer', answer: googleError(429, 'rateLimitExceeded') }
    if (fate === 'fail') return { kind: 'answer', answer: googleError(500, 'backendError') }
    return fate === 'pass' ? undefined : { kind: fate }
  }
  microsoft.quirk = (asked) => {
    microsoft.delayMs = traffic.answerMs
    const fate = traffic.note({ provider: 'microsoft', ...wordsOf(asked) })
    if (fate === 'throttle')
      return { kind: 'answer', answer: graphError(429, 'ApplicationThrottled', 'Too many requests') }
    if (fate === 'fail') return { kind: 'answer', answer: graphError(500, 'InternalServerError', 'Something failed') }
    return fate === 'pass' ? undefined : { kind: fate }
  }
}

const wordsOf = ({ method, path, authorization, body }: Omit<Asked, 'provider' | 'at'>) => ({
  ...{ method, path, authorization, body },
})

/** Sets a scene with providers that answer at once. */
export async function quickly<T>({ traffic }: Site, work: () => Promise<T>): Promise<T> {
  const { answerMs } = traffic
  traffic.answerMs = 0
  return work().finally(() => {
    traffic.answerMs = answerMs
  })
}
