// The requests of clients, and the refusals of the API.
import { errorCodes, errorTypes, typeOfCode } from '../shapes/errorTypes.ts'
import { latencyBuckets, type MetricFactory } from './metricFactory.ts'

export const requestMetrics = ({ counter, tallied, level, histogram }: MetricFactory) => ({
  refusals: refusalsOf(counter),
  httpRequestDuration: histogram(
    'calendar_http_request_duration_seconds',
    'Time from the request line to the last byte of the response, by route and status. Status 499: the client disconnected before the response.',
    latencyBuckets,
    ['method', 'route', 'status'],
  ),
  httpRequestsInFlight: level('calendar_http_requests_in_flight', 'Requests in progress.'),
  httpMalformedRequests: counter(
    'calendar_http_malformed_requests_total',
    'Requests rejected before routing: invalid HTTP, not exactly one Host header, unsupported Expect, or not received in time.',
  ),
  guardrailRefusals: counter(
    'calendar_guardrail_refusals_total',
    'Requests and tool calls that a guardrail of their key refused, by guardrail.',
    ['guardrail'],
  ),
  keyRefusals: counter(
    'calendar_key_refusals_total',
    'Requests and tool calls that were refused for their API key, by reason: it has expired, may only read, or is not allowed from their address.',
    ['reason'],
  ),
  refusedRequests: counter(
    'calendar_refused_requests_total',
    'Refused requests of known callers, by outcome: recorded for GET /v1/requests, only counted here because there were too many, or lost because Postgres failed.',
    ['outcome'],
  ),
  roleRefusals: counter(
    'calendar_role_refusals_total',
    'Requests by session that the role of the member is too low for, by that role.',
    ['role'],
  ),
  gateDecisions: tallied(
    'calendar_gate_decisions_total',
    'Requests with an API key or a console session, by plan and decision: admitted, or the reason for the refusal.',
    ['plan', 'decision'],
  ),
  answers: counter(
    'calendar_answers_total',
    'Requests with an Idempotency-Key: answers stored, answers sent again, and keys that were used for a different request.',
    ['outcome'],
  ),
  dryRuns: counter('calendar_dry_runs_total', 'Requests with `dry_run=true` that passed the gate.'),
  mcpCalls: counter(
    'calendar_mcp_calls_total',
    'Tool calls over MCP, by tool and outcome: ok, replayed, refused, or failed on our side.',
    ['tool', 'outcome'],
  ),
  gateWithoutRedis: counter(
    'calendar_gate_without_redis_total',
    'Requests decided from Postgres and local buckets because Redis did not answer.',
  ),
  throttleRefusals: counter(
    'calendar_throttle_refusals_total',
    'Requests refused because a client address or a subject exceeded a limit, by limit.',
    ['limit'],
  ),
  adminTokenFailures: counter(
    'calendar_admin_token_failures_total',
    'Requests to /v1/admin or /admin/queues with a wrong administrator token.',
  ),
  heavyReadRefusals: counter(
    'calendar_heavy_read_refusals_total',
    'Large reads refused because their organization already had too many in progress, by kind.',
    ['kind'],
  ),
  failures: counter(
    'calendar_failures_total',
    'Failed authentications and throttled requests, by action and outcome: recorded in an audit log, or only counted here.',
    ['action', 'outcome'],
  ),
})

function refusalsOf(counter: MetricFactory['counter']) {
  const refusals = counter(
    'calendar_refusals_total',
    'Requests and tool calls that were refused, by the `code` of the error, or by its type if it has none.',
    ['reason'],
  )
  const codes = errorCodes.filter((code) => typeOfCode(code) !== 'internal_error')
  const types = errorTypes.filter((type) => type !== 'internal_error')
  for (const reason of [...types, ...codes]) refusals.inc({ reason }, 0)
  return refusals
}
