// The environment, read once. A wrong variable stops the process with one line that names it.
import { z } from 'zod'
import {
  baseUrl,
  databaseUrl,
  encryptionKeys,
  folder,
  host,
  line,
  list,
  otlpEndpoint,
  pairs,
  port,
  proxies,
  redisUrl,
  samplers,
  secrets,
  share,
  smtpUrl,
  token,
  trustedHosts,
  webOrigins,
  wholeSeconds,
} from './configValues.ts'
import { reachableHost } from './outbound/addresses.ts'
import { calendarProviders, oidcProviders } from './outbound/providers.ts'
import { inPlainWords, pathOf } from './shapes/wording.ts'
import { poolNames } from './wakeups/jobs.ts'

/** `unset`: the value without the variable, where the schema's own default does not say it. */
const about = (description: string, unset?: string) => ({ description, unset })

const byStart = 'required; `npm start` makes one'

/** `npm run reference` writes `docs/reference/environment.md` from these schemas and their descriptions. */
export const environment = z.object({
  PORT: port.default(3000).meta(about('Port of the API.')),
  HOST: host
    .optional()
    .meta(
      about(
        'IP address that the API listens on. `127.0.0.1` or `::1` is this machine only, `0.0.0.0` every IPv4 address, `::` every address.',
        'all addresses; `127.0.0.1` under `npm start`',
      ),
    ),
  BASE_URL: baseUrl
    .optional()
    .meta(
      about('Public address of the service, used in links.', '`http://localhost:<PORT>`, or the address in `HOST`'),
    ),
  METRICS_PORT: port
    .default(0)
    .meta(
      about(
        'Port of `/metrics`. 0 takes any free port and logs it. Under `npm start` the API takes this port and the workers take the next one.',
      ),
    ),
  METRICS_HOST: host
    .optional()
    .meta(
      about(
        'IP address that `/metrics` listens on. There is no authentication: open it to the network of Prometheus only.',
        '`HOST`; `127.0.0.1` under `npm start`',
      ),
    ),
  DATA_DIR: folder
    .default('.data')
    .meta(about('Folder in which `npm start` keeps its stores, secrets and mails. Only its owner can read it.')),
  DATABASE_URL: databaseUrl.meta(
    about('Postgres: `postgres://user:password@host:5432/database`.', 'required; `npm start` runs its own'),
  ),
  REDIS_URL: redisUrl.meta(
    about(
      'Redis: `redis://`, `rediss://`, `redis+sentinel://` or `redis+cluster://` ([forms](../operating.md#redis)).',
      'required; `npm start` runs its own',
    ),
  ),
  ADMIN_TOKEN: token.meta(about('Bearer token of `/v1/admin`, at least 16 characters.', byStart)),
  SESSION_SECRETS: secrets.meta(
    about(
      'Secrets that sign console sessions: a comma-separated list, at least 32 characters each. The first signs, all verify.',
      byStart,
    ),
  ),
  ENCRYPTION_KEYS: encryptionKeys.meta(
    about(
      'Keys that encrypt stored data: a comma-separated list of `id:base64` (32 bytes each). The first encrypts, all decrypt. **Data encrypted with a lost key is lost.**',
      byStart,
    ),
  ),
  SMTP_URL: smtpUrl.optional().meta(about('Mail server: `smtp://` or `smtps://`.')),
  MAIL_DIR: folder
    .optional()
    .meta(about('Folder for mails when `SMTP_URL` is not set: each mail is a file.', '`<DATA_DIR>/mail`')),
  MAIL_FROM: z
    .email('expected an e-mail address')
    .optional()
    .meta(about('Sender of the mails.', '`no-reply@` and the host of `BASE_URL`')),
  OIDC_PROVIDERS: oidcProviders
    .default({})
    .meta(
      about(
        'OpenID Connect providers for console sign-in, as JSON: `{"acme": {"issuer": "https://id.acme.example", "client_id": "…", "client_secret": "…"}}`. Sign-in starts at `/v1/auth/oauth/acme`; register `<BASE_URL>/v1/auth/oauth/acme/callback` as the redirect address.',
        'none',
      ),
    ),
  CALENDAR_PROVIDERS: calendarProviders
    .default({})
    .meta(
      about(
        'Providers whose calendars humans can connect, as JSON: `{"google": {"client_id": "…", "client_secret": "…"}, "microsoft": {"client_id": "…", "client_secret": "…", "tenant": "common"}}` ([registering the applications](../calendar-providers.md)). CalDAV needs no entry.',
        'none',
      ),
    ),
  REQUIRE_PROVEN_ADDRESS: z
    .stringbool('expected true or false')
    .default(false)
    .meta(
      about(
        '`true`: an organization gets no API key before its e-mail address is proven ([how](../api.md#proving-an-address)).',
      ),
    ),
  TRUSTED_PROXIES: proxies
    .default([])
    .meta(
      about(
        'Proxies in front of the API: a comma-separated list of addresses, networks (`10.0.0.0/8`), `loopback`, `linklocal` or `uniquelocal`. `X-Forwarded-For` is trusted only when it comes from these.',
      ),
    ),
  OUTBOUND_TRUSTED_HOSTS: trustedHosts
    .default([])
    .meta(
      about(
        'Hosts that webhooks and feeds may reach over plain HTTP and on private addresses: a comma-separated list of `host` or `host:port`. For development.',
      ),
    ),
  MCP_ALLOWED_ORIGINS: webOrigins
    .default([])
    .meta(
      about(
        'Web pages whose scripts may use `/mcp`, besides those of `BASE_URL`: a comma-separated list of origins, such as `https://app.example.com`.',
        'none',
      ),
    ),
  ENQUEUE_HORIZON: wholeSeconds.default(600).meta(about('Seconds. Due rows within this time have a wake-up in Redis.')),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta(about('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.')),
  WORKER_POOLS: list
    .pipe(z.array(z.enum(poolNames)).min(1))
    .default([...poolNames])
    .meta(
      about(
        `Pools that a worker process runs: a comma-separated list of ${poolNames.map((name) => `\`${name}\``).join(', ')}.`,
        'all',
      ),
    ),
  // Checked here, read by the SDK itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint.meta(
    about(
      'Where traces are sent, for example `http://collector:4318`. When it is not set, tracing is off and its SDK is not loaded ([traces](../operating.md#traces)).',
    ),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpEndpoint.meta(
    about('The same with the full path, for example `http://collector:4318/v1/traces`.'),
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json', 'grpc'])
    .optional()
    .meta(about('`http/protobuf`, `http/json` or `grpc`.', '`http/protobuf`')),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional().meta(about('Headers for the collector: `key=value,key=value`.')),
  OTEL_SERVICE_NAME: line
    .optional()
    .meta(about('Name of the process in traces.', '`agent-calendar-api`, `agent-calendar-worker`')),
  OTEL_RESOURCE_ATTRIBUTES: pairs
    .optional()
    .meta(about('Further attributes of the process, for example `deployment.environment.name=production`.')),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .optional()
    .meta(
      about(
        'Which traces are kept. `parentbased_traceidratio` keeps a share of them, each as a whole.',
        '`parentbased_always_on`',
      ),
    ),
  OTEL_TRACES_SAMPLER_ARG: share.optional().meta(about('The share of traces that is kept, 0 to 1.', '`1`')),
  OTEL_SDK_DISABLED: z
    .stringbool('expected true or false')
    .default(false)
    .meta(about('`true` turns tracing off, regardless of other variables.')),
})

/** Every variable the service reads. */
export const variableNames = Object.keys(environment.shape)

export type Config = ReturnType<typeof readConfig>

/** Of a list no place is named, of an object the field: `OIDC_PROVIDERS: acme.client_id: must not be empty`. */
function lineOf(issue: z.core.$ZodIssue, set: Record<string, unknown>): string {
  const [name, ...inside] = pathOf(issue).map((part) => (typeof part === 'number' ? part : String(part)))
  if (set[name!] === undefined) return `${name}: is required`
  const field = inside.filter((part) => typeof part === 'string').join('.')
  return `${name}: ${field && `${field}: `}${issue.message}`
}

/** As a person on this machine types it. */
export const localUrl = (host: string | undefined, port: number): string =>
  `http://${reachableHost(host).replace('127.0.0.1', 'localhost')}:${port}`

/** Throws an Error whose message is one line: the variable and its fault. */
export function readConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(set, { error: inPlainWords })
  if (!parsed.success) throw new Error(lineOf(parsed.error.issues[0]!, set))
  const e = parsed.data
  return {
    port: e.PORT,
    /** The addresses that the API listens on; undefined: all addresses of the machine. */
    host: e.HOST,
    baseUrl: (e.BASE_URL ?? localUrl(e.HOST, e.PORT)).replace(/\/+$/, ''),
    metricsPort: e.METRICS_PORT,
    metricsHost: e.METRICS_HOST ?? e.HOST,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    /** In front of every Redis key, so that several installations can share one server. */
    redisPrefix: 'calendar',
    adminToken: e.ADMIN_TOKEN,
    sessionSecrets: e.SESSION_SECRETS,
    encryptionKeys: e.ENCRYPTION_KEYS,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM ?? `no-reply@${new URL(e.BASE_URL ?? 'http://localhost').hostname}`,
    mailDir: e.MAIL_DIR ?? `${e.DATA_DIR}/mail`,
    /** By the name in their path: whom the console lets people sign in through. */
    oidcProviders: e.OIDC_PROVIDERS,
    /** Where humans have calendars, besides CalDAV. */
    calendarProviders: e.CALENDAR_PROVIDERS,
    /** An organization has a key only once its address is proven. */
    requireProvenAddress: e.REQUIRE_PROVEN_ADDRESS,
    /** Addresses, networks or `loopback`, whose `X-Forwarded-For` tells the client. */
    trustedProxies: e.TRUSTED_PROXIES,
    trustedHosts: e.OUTBOUND_TRUSTED_HOSTS.map((host) => host.toLowerCase()),
    /** Lower case. */
    mcpAllowedOrigins: e.MCP_ALLOWED_ORIGINS,
    enqueueHorizonMs: e.ENQUEUE_HORIZON * 1000,
    logLevel: e.LOG_LEVEL,
    workerPools: e.WORKER_POOLS,
    telemetry: {
      isOn: !e.OTEL_SDK_DISABLED && Boolean(e.OTEL_EXPORTER_OTLP_ENDPOINT ?? e.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
      serviceName: e.OTEL_SERVICE_NAME,
    },
  }
}
