// The environment, read once. A wrong variable stops the process with one line that names it.
import { isIP } from 'node:net'
import { z } from 'zod'
import { reachableHost } from './outbound/addresses.ts'
import { inPlainWords, pathOf } from './shapes/wording.ts'
import { poolNames } from './wakeups/jobs.ts'

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

/** 0 is any free one. */
const port = z
  .string()
  .trim()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: ({ input }) => `${JSON.stringify(String(input).slice(0, 40))} is not a port, 1 to 65535`,
  })
  .transform(Number)

/** An address of this machine. A name could stand for several, and only one of them would be listened on. */
const host = z
  .string()
  .trim()
  .transform((text) => (text === 'localhost' ? '127.0.0.1' : text))
  .refine((text) => isIP(text) !== 0, 'expected an IP address, for example 127.0.0.1, 0.0.0.0 or ::1')

const number = (least: number, most: number, expected: string) =>
  z.coerce.number(expected).min(least, expected).max(most, expected)

/** As `isTrustedHost` compares them; what else is written would trust nothing. */
const trustedHosts = list.pipe(
  z.array(
    z
      .string()
      .regex(
        /^([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$|^[0-9a-f:.]+$/i,
        'expected host or host:port, separated by commas',
      ),
  ),
)

/** `id:base64` of 32 bytes each; the first encrypts, all decrypt. */
const encryptionKeys = list.pipe(
  z
    .array(
      z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,16}:[A-Za-z0-9+/=_-]+$/, 'expected id:base64')
        .transform((item) => {
          const [id, secret] = item.split(':') as [string, string]
          return { id, secret: Buffer.from(secret, 'base64') }
        })
        .refine((key) => key.secret.length === 32, 'each key is 32 bytes in base64'),
    )
    .min(1),
)

const proxy = z
  .string()
  .regex(/^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(\/\d{1,3})?)$/, 'expected addresses, networks or loopback')

/** Sentinel and Cluster name several nodes, which is no URL. */
const redisUrl = z.union(
  [
    z.url({ protocol: /^rediss?$/ }),
    z.string().regex(/^redis\+(sentinel|cluster):\/\/([^@/\s]*@)?[^@/,\s]+(,[^@/,\s]+)*(\/\S*)?$/),
  ],
  'expected redis://, rediss://, redis+sentinel:// or redis+cluster://',
)

/** Providers of identities by name; plain HTTP is for a provider on this machine alone. */
const oidcProviders = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.issues.push({ code: 'custom', input: text, message: 'expected JSON' })
      return z.NEVER
    }
  })
  .pipe(
    z.record(
      z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, 'expected names of lower-case letters, digits and -'),
      z.strictObject({
        issuer: z.union(
          [z.url({ protocol: /^https$/ }), z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/ })],
          'expected the https address of the issuer',
        ),
        client_id: z.string().min(1),
        client_secret: z.string().min(1),
      }),
    ),
  )
export type OidcProvider = { issuer: string; client_id: string; client_secret: string }

const otlpEndpoint = z.url({ protocol: /^https?$/, error: 'expected http://host:port or https://host:port' }).optional()

const seconds = 'expected whole seconds, 1 to 86400'
const eachSecret = 'expected secrets of at least 32 characters each, separated by commas'
const samplers = [
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
] as const

const environment = z.object({
  PORT: port.default(3000),
  HOST: host.optional(),
  BASE_URL: z.url({ protocol: /^https?$/, error: 'expected http://host or https://host' }).optional(),
  METRICS_PORT: port.default(0),
  METRICS_HOST: host.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({
    protocol: /^postgres(ql)?$/,
    error: 'expected postgres://user:password@host:port/database',
  }),
  REDIS_URL: redisUrl,
  ADMIN_TOKEN: z.string().min(16),
  SESSION_SECRETS: list.pipe(z.array(z.string().min(32, eachSecret)).min(1, eachSecret)),
  ENCRYPTION_KEYS: encryptionKeys,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'expected smtp://host:port or smtps://host:port' }).optional(),
  MAIL_DIR: z.string().min(1).optional(),
  MAIL_FROM: z.email('expected an e-mail address').optional(),
  OIDC_PROVIDERS: oidcProviders.default({}),
  REQUIRE_PROVEN_ADDRESS: z.stringbool('expected true or false').default(false),
  TRUSTED_PROXIES: list.pipe(z.array(proxy)).default([]),
  OUTBOUND_TRUSTED_HOSTS: trustedHosts.default([]),
  ENQUEUE_HORIZON: number(1, 86_400, seconds).int(seconds).default(600),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WORKER_POOLS: list.pipe(z.array(z.enum(poolNames)).min(1)).default([...poolNames]),
  // Checked here, read by the SDK itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json', 'grpc']).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers).optional(),
  OTEL_TRACES_SAMPLER_ARG: number(0, 1, 'expected a number from 0 to 1').optional(),
  OTEL_SDK_DISABLED: z.stringbool('expected true or false').default(false),
})

/** Every variable the service reads; the table in the README is compared with this list. */
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

/** Throws an Error whose message is one line: the variable and what is wrong with it. */
export function readConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(set, { error: inPlainWords })
  if (!parsed.success) throw new Error(lineOf(parsed.error.issues[0]!, set))
  const e = parsed.data
  return {
    port: e.PORT,
    /** What the API listens on; undefined: all addresses of the machine. */
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
    /** An organization has a key only once its address is proven. */
    requireProvenAddress: e.REQUIRE_PROVEN_ADDRESS,
    /** Addresses, networks or `loopback`, whose `X-Forwarded-For` tells the client. */
    trustedProxies: e.TRUSTED_PROXIES,
    trustedHosts: e.OUTBOUND_TRUSTED_HOSTS.map((host) => host.toLowerCase()),
    enqueueHorizonMs: e.ENQUEUE_HORIZON * 1000,
    logLevel: e.LOG_LEVEL,
    workerPools: e.WORKER_POOLS,
    telemetry: {
      isOn: !e.OTEL_SDK_DISABLED && Boolean(e.OTEL_EXPORTER_OTLP_ENDPOINT ?? e.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
      serviceName: e.OTEL_SERVICE_NAME,
    },
  }
}
