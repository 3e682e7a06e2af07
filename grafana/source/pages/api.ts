import { type Page, quantile, quantiles, rate, rateOrZero } from '../page.ts'

const requests = 'calendar_http_request_duration_seconds'

export const api: Page = {
  uid: 'calendar-api',
  title: 'Calendar: API',
  description: 'Requests by route and status, what the gate decided, and the API processes.',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'Requests by status',
          description: 'Answers per second. Normal: mostly 2xx, and under 0.1 % 5xx.',
          unit: 'reqps',
          kind: 'stack',
          queries: [[rate(`${requests}_count`, 'status'), '{{status}}']],
        },
        {
          title: 'Requests by route',
          description: 'Answers per second, the ten busiest routes. Normal: as on other days at this hour.',
          unit: 'reqps',
          kind: 'stack',
          queries: [[`topk(10, ${rate(`${requests}_count`, 'method, route')})`, '{{method}} {{route}}']],
        },
        {
          title: 'Latency of requests',
          description: 'How long answers take, over all routes. Normal: under 0.5 s.',
          unit: 's',
          limits: [0.5, 1],
          queries: quantiles(requests),
        },
        {
          title: 'Slowest routes',
          description: 'The 99th percentile of the ten slowest. Normal: under 0.5 s.',
          unit: 's',
          limits: [0.5, 1],
          queries: [[`topk(10, ${quantile(0.99, requests, 'method, route')})`, '{{method}} {{route}}']],
        },
        {
          title: 'Server errors',
          description:
            'Answers with a status of 500 or above. The log says why, by request_id. Normal: none, or under 0.1 % of requests.',
          unit: 'reqps',
          queries: [
            [rateOrZero(`${requests}_count`, 'status=~"5.."'), 'all'],
            [
              `${rate(`${requests}_count`, 'method, route', 'status=~"5.."')} > 0 or on () vector(0)`,
              '{{method}} {{route}}',
            ],
          ],
        },
        {
          title: 'Requests in flight',
          description: 'Requests that are being answered, by process. Normal: follows the load.',
          unit: 'short',
          queries: [['sum by (instance) (calendar_http_requests_in_flight)', '{{instance}}']],
        },
        {
          title: 'Refusals by guardrails',
          description:
            'Requests and tool calls that a guardrail of their agent key refused, by guardrail. Normal: few; many are an agent that does not know its limits.',
          unit: 'reqps',
          queries: [[rate('calendar_guardrail_refusals_total', 'guardrail'), '{{guardrail}}']],
        },
        {
          title: 'Refusals by keys',
          description:
            'Requests and tool calls that were refused for their API key: it has expired, may only read, or came from an address that it does not allow. Normal: few; many of `ip_not_allowed` may be a stolen key.',
          unit: 'reqps',
          queries: [[rate('calendar_key_refusals_total', 'reason'), '{{reason}}']],
        },
        {
          title: 'Recorded refusals',
          description:
            'Refused requests of known callers: recorded for GET /v1/requests, only counted because there were too many, or lost because Postgres failed. Normal: nearly all `recorded`, none `lost`.',
          unit: 'reqps',
          queries: [[rate('calendar_refused_requests_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Second factors',
          description:
            'Sign-ins that wait for a code, codes accepted, wrong codes, codes for a sign-in that has ended, and requests refused because too many were wrong, by outcome. Normal: few wrong ones; many are somebody who guesses, or clocks that are wrong.',
          unit: 'reqps',
          queries: [[rate('calendar_second_factor_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Invitations',
          description:
            'People who are invited to organizations, and what becomes of the links. Normal: few; many `dead_link` are somebody who guesses.',
          unit: 'reqps',
          queries: [[rate('calendar_invitations_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Refusals by roles',
          description:
            'Requests by session that the role of the member is too low for, by that role. Normal: few; many are a program with the session of a member who may less.',
          unit: 'reqps',
          queries: [[rate('calendar_role_refusals_total', 'role'), '{{role}}']],
        },
        {
          title: 'Malformed requests',
          description:
            'Input that is not valid HTTP: a scan, or a client that speaks TLS to a plain port. Normal: none, or a few where the port is public.',
          unit: 'reqps',
          queries: [[rate('calendar_http_malformed_requests_total'), 'malformed']],
        },
        {
          title: 'Wrong administrator tokens',
          description: 'Requests to /v1/admin or /admin/queues. The log names the client. Normal: none.',
          unit: 'reqps',
          queries: [[rate('calendar_admin_token_failures_total'), 'wrong']],
        },
      ],
    },
    {
      title: 'Gate',
      panels: [
        {
          title: 'Decisions of the gate',
          description: 'Decisions of the gate on requests with a key. Normal: nearly all `admitted`.',
          unit: 'reqps',
          kind: 'stack',
          queries: [[rate('calendar_gate_decisions_total', 'decision'), '{{decision}}']],
        },
        {
          title: 'Refused for rate',
          description: 'Requests over the rate of their key, by plan. Normal: none, or short peaks.',
          unit: 'reqps',
          queries: [[rate('calendar_gate_decisions_total', 'plan', 'decision="rate"'), '{{plan}}']],
        },
        {
          title: 'Repeated requests',
          description:
            'Requests with an Idempotency-Key: answers stored, answers sent again, and keys that were used for a different request. Normal: mostly `stored`, and no `reused`.',
          unit: 'reqps',
          queries: [[rate('calendar_answers_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Refused by reason',
          description:
            'Requests and tool calls by the code of their error (not_free, hold_conflict, weekday_mismatch), or by its type (precondition_failed, cursor_gone): the ten most frequent. Normal: follows the load.',
          unit: 'reqps',
          kind: 'stack',
          queries: [[`topk(10, ${rate('calendar_refusals_total', 'reason')})`, '{{reason}}']],
        },
        {
          title: 'Dry runs',
          description: 'Requests with dry_run=true that passed the gate. Normal: follows the load.',
          unit: 'reqps',
          queries: [[rate('calendar_dry_runs_total'), 'dry runs']],
        },
        {
          title: 'Tool calls (MCP)',
          description:
            'Calls of tools by agents, by outcome. Failed ones are faults of this service. Normal: mostly `ok`, and no `failed`.',
          unit: 'reqps',
          queries: [[rate('calendar_mcp_calls_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Limits per address and subject',
          description:
            'Requests without a key that were refused because there were too many, by limit. Normal: none, or short peaks.',
          unit: 'reqps',
          queries: [[rate('calendar_throttle_refusals_total', 'limit'), '{{limit}}']],
        },
        {
          title: 'Refused large reads',
          description:
            'Lists, changes, availability and feeds that were refused because the organization had too many in progress, by kind. Normal: none.',
          unit: 'reqps',
          queries: [[rate('calendar_heavy_read_refusals_total', 'kind'), '{{kind}}']],
        },
        {
          title: 'Failed authentication and throttling',
          description:
            'Written to the audit log of an organization, or only counted if no organization is known. Normal: none, or short peaks.',
          unit: 'reqps',
          queries: [[rate('calendar_failures_total', 'action, outcome'), '{{action}} {{outcome}}']],
        },
      ],
    },
    {
      title: 'Change feed',
      panels: [
        {
          title: 'Readers that wait',
          description:
            'Requests and streams that wait for changes, by process. Normal: about as many as there are readers.',
          unit: 'short',
          queries: [['sum by (instance) (calendar_feed_waits)', '{{instance}}']],
        },
        {
          title: 'From a change to its reader',
          description: 'For readers that were waiting. Without Redis it is up to two seconds. Normal: under 0.5 s.',
          unit: 's',
          limits: [0.5, 2.5],
          queries: quantiles('calendar_feed_delay_seconds'),
        },
        {
          title: 'Entries read by a statement',
          description:
            'Thousands, if readers are far behind, never take the new cursor, or a transaction stays open. Normal: under 1,000.',
          unit: 'short',
          limits: [1_000, 10_000],
          queries: quantiles('calendar_feed_scanned_rows'),
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Processor of a process',
          description:
            'Seconds of processor time per second; one process can use about one. Normal: follows the load, and under 70 %.',
          unit: 'percentunit',
          queries: [
            [
              'sum by (job, instance) (rate(calendar_process_cpu_seconds_total[$__rate_interval]))',
              '{{job}} {{instance}}',
            ],
          ],
        },
        {
          title: 'Event loop',
          description:
            'How late the event loop is, 99th percentile. Above 100 ms a process is too busy. Normal: under 100 ms.',
          unit: 's',
          limits: [0.1, 0.5],
          queries: [['max by (job, instance) (calendar_nodejs_eventloop_lag_p99_seconds)', '{{job}} {{instance}}']],
        },
        {
          title: 'Memory of a process',
          description: 'Resident memory. Normal: steady, without growth over days.',
          unit: 'bytes',
          queries: [['max by (job, instance) (calendar_process_resident_memory_bytes)', '{{job}} {{instance}}']],
        },
        {
          title: 'Garbage collection',
          description: 'Share of time in the garbage collector. Normal: a small share that follows the load.',
          unit: 'percentunit',
          queries: [
            [
              'sum by (job, instance) (rate(calendar_nodejs_gc_duration_seconds_sum[$__rate_interval]))',
              '{{job}} {{instance}}',
            ],
          ],
        },
      ],
    },
  ],
}
