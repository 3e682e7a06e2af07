// Requests to providers are counted at the door by which they leave.
import type { App } from '../app.ts'
import type { Http, Outcome } from '../outbound/http.ts'
import type { ProviderName } from './rules.ts'

export const requestOutcomes = ['ok', 'refused', 'rate_limited', 'rejected', 'failed', 'unreachable'] as const
type RequestOutcome = (typeof requestOutcomes)[number]

/** The same door; each answer counts for the provider. Our own shutdown does not. */
export const countedHttp = ({ http, metrics }: Pick<App, 'http' | 'metrics'>, provider: ProviderName): Http => ({
  ...http,
  async send(request) {
    const answer = await http.send(request)
    const outcome = outcomeOf(answer)
    if (outcome) metrics.providerRequests.inc({ provider, outcome })
    return answer
  },
})

function outcomeOf(answer: Outcome): RequestOutcome | undefined {
  if (answer.kind === 'failed') return answer.reason === 'closed' ? undefined : 'unreachable'
  if (answer.status >= 500) return 'failed'
  if (answer.status < 400) return 'ok'
  if (answer.status === 401) return 'refused'
  return answer.status === 429 ? 'rate_limited' : 'rejected'
}
