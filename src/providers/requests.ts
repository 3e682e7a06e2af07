// The door to a provider of calendars: requests leave at its pace, and their answers are counted.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { Http, HttpRequest, Outcome } from '../outbound/http.ts'
import { noteLimit, type PacedApp, waitForPace } from './providerPace.ts'
import type { ProviderName } from './rules.ts'

export const requestOutcomes = [
  ...(['ok', 'refused', 'rate_limited', 'rejected', 'failed', 'unreachable', 'held_back'] as const),
]
type RequestOutcome = (typeof requestOutcomes)[number]

/** The same door; each answer counts for the provider. Our own shutdown does not. */
export const providerHttp = (app: PacedApp & Pick<App, 'http' | 'metrics'>, provider: ProviderName): Http => ({
  ...app.http,
  async send(request) {
    const waitMs = await waitForPace(app, provider)
    if (waitMs < 0 || waitMs >= request.deadlineMs) {
      app.metrics.providerRequests.inc({ provider, outcome: 'held_back' })
      return heldBack
    }
    if (waitMs > 0) await pause(waitMs)
    const answer = await app.http.send({ ...request, deadlineMs: request.deadlineMs - waitMs })
    const outcome = outcomeOf(answer)
    if (outcome) app.metrics.providerRequests.inc({ provider, outcome })
    if (outcome === 'rate_limited') await noteLimit(app, provider, authorizationOf(request))
    return answer
  },
})

/** In the provider's stead, as it would say it itself if all left at once. */
const heldBack: Outcome = {
  kind: 'response',
  status: 429,
  headers: { 'retry-after': '5' },
  body: Buffer.alloc(0),
  truncated: false,
  durationMs: 0,
}

function outcomeOf(answer: Outcome): RequestOutcome | undefined {
  if (answer.kind === 'failed') return answer.reason === 'closed' ? undefined : 'unreachable'
  if (answer.status >= 500) return 'failed'
  if (answer.status < 400) return 'ok'
  if (answer.status === 401) return 'refused'
  return answer.status === 429 || isQuotaOfGoogle(answer) ? 'rate_limited' : 'rejected'
}

const quotaPattern = /"(?:rateLimitExceeded|userRateLimitExceeded|quotaExceeded|dailyLimitExceeded)"/

/** Google says some of its limits with a 403. */
const isQuotaOfGoogle = ({ status, body }: Outcome & { kind: 'response' }): boolean =>
  status === 403 && body.length < 10_000 && quotaPattern.test(body.toString('latin1'))

const authorizationOf = ({ headers }: HttpRequest): string =>
  headers && !Array.isArray(headers) ? ((headers as Record<string, string>).authorization ?? '') : ''
