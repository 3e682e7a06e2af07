import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readConfig, variableNames } from './config.ts'
import { poolNames } from './wakeups/jobs.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

const required = {
  DATABASE_URL: 'postgres://user@localhost/calendar',
  REDIS_URL: 'redis://localhost:6379',
  ADMIN_TOKEN: 'sixteen-characters',
  SESSION_SECRETS: 'thirty-two-characters-or-more-of-it',
  ENCRYPTION_KEYS: `k1:${key(1)}`,
}

test('what is not set has its default', () => {
  const config = readConfig(required)
  assert.deepEqual(
    { ...config, encryptionKeys: undefined, sessionSecrets: undefined },
    {
      port: 3000,
      host: undefined,
      calendarProviders: {},
      baseUrl: 'http://localhost:3000',
      metricsPort: 0,
      metricsHost: undefined,
      dataDir: '.data',
      databaseUrl: required.DATABASE_URL,
      redisUrl: required.REDIS_URL,
      redisPrefix: 'calendar',
      adminToken: required.ADMIN_TOKEN,
      encryptionKeys: undefined,
      sessionSecrets: undefined,
      smtpUrl: undefined,
      mailDir: '.data/mail',
      mailFrom: 'no-reply@localhost',
      oidcProviders: {},
      requireProvenAddress: false,
      trustedProxies: [],
      trustedHosts: [],
      mcpAllowedOrigins: [],
      enqueueHorizonMs: 600_000,
      logLevel: 'info',
      workerPools: [...poolNames],
      telemetry: { isOn: false, serviceName: undefined },
    },
  )
})

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ ...required, PORT: '', BASE_URL: '', SMTP_URL: '' }).port, 3000)
})

test('the base address follows the port, and loses its last slash', () => {
  assert.equal(readConfig({ ...required, PORT: '3801' }).baseUrl, 'http://localhost:3801')
  assert.equal(readConfig({ ...required, BASE_URL: 'https://cal.example.com/' }).baseUrl, 'https://cal.example.com')
})

test('the base address is one that reaches the host, and metrics are where the API is, unless another place is named', () => {
  const read = (env: Record<string, string>) => readConfig({ ...required, ...env })
  const hosts: Record<string, string> = {
    '127.0.0.1': 'http://localhost:3000',
    localhost: 'http://localhost:3000',
    '0.0.0.0': 'http://localhost:3000',
    '::': 'http://localhost:3000',
    '::1': 'http://[::1]:3000',
    '192.0.2.7': 'http://192.0.2.7:3000',
  }
  for (const [HOST, baseUrl] of Object.entries(hosts)) assert.equal(read({ HOST }).baseUrl, baseUrl)
  assert.equal(read({ HOST: 'localhost' }).host, '127.0.0.1')
  assert.equal(read({ HOST: '::1' }).metricsHost, '::1')
  assert.equal(read({ HOST: '::1', METRICS_HOST: '0.0.0.0' }).metricsHost, '0.0.0.0')
})

test('mails go under the data directory, unless a place is named', () => {
  assert.equal(readConfig({ ...required, DATA_DIR: '/var/calendar' }).mailDir, '/var/calendar/mail')
  assert.equal(readConfig({ ...required, DATA_DIR: '/var/calendar', MAIL_DIR: '/mails' }).mailDir, '/mails')
})

test('mails are from the host of the base address, unless somebody is named', () => {
  const BASE_URL = 'https://cal.example.com/base'
  assert.equal(readConfig({ ...required, BASE_URL }).mailFrom, 'no-reply@cal.example.com')
  assert.equal(readConfig({ ...required, BASE_URL, MAIL_FROM: 'cal@example.org' }).mailFrom, 'cal@example.org')
})

test('providers of identities are JSON; plain http is for this machine alone', () => {
  const read = (OIDC_PROVIDERS: string) => readConfig({ ...required, OIDC_PROVIDERS }).oidcProviders
  const acme = { issuer: 'https://id.acme.example', client_id: 'id', client_secret: 'secret' }
  assert.deepEqual(read(JSON.stringify({ acme })), { acme })
  assert.equal(read(JSON.stringify({ a: { ...acme, issuer: 'http://localhost:8080' } })).a?.client_id, 'id')
  for (const wrong of [
    '{',
    '[]',
    JSON.stringify({ 'A b': acme }),
    JSON.stringify({ acme: { ...acme, issuer: 'http://id.acme.example' } }),
    JSON.stringify({ acme: { ...acme, client_secret: '' } }),
    JSON.stringify({ acme: { ...acme, scope: 'all' } }),
  ]) {
    assert.throws(() => read(wrong), /^Error: OIDC_PROVIDERS: /, wrong)
  }
})

test('providers of calendars know their own addresses, and each can point elsewhere', () => {
  const { calendarProviders } = readConfig({
    ...required,
    CALENDAR_PROVIDERS: JSON.stringify({
      google: { client_id: 'id', client_secret: 'secret', api_url: 'http://127.0.0.1:4000/calendar/v3' },
      microsoft: { client_id: 'id', client_secret: 'secret' },
    }),
  })
  assert.equal(calendarProviders.google?.api_url, 'http://127.0.0.1:4000/calendar/v3')
  assert.equal(calendarProviders.google?.issuer, 'https://accounts.google.com')
  assert.equal(calendarProviders.microsoft?.tenant, 'common')
  assert.deepEqual(readConfig(required).calendarProviders, {})
})

test('lists are split at commas, blanks around items and empty items are dropped', () => {
  const config = readConfig({
    ...required,
    OUTBOUND_TRUSTED_HOSTS: ' Localhost , 127.0.0.1:4000 ,',
    WORKER_POOLS: 'timers, deliveries',
  })
  assert.deepEqual(config.trustedHosts, ['localhost', '127.0.0.1:4000'])
  assert.deepEqual(config.workerPools, ['timers', 'deliveries'])
})

test('the ring of encryption keys keeps its order', () => {
  const { encryptionKeys } = readConfig({ ...required, ENCRYPTION_KEYS: `k2:${key(2)},k1:${key(1)}` })
  assert.deepEqual(
    encryptionKeys.map(({ id, secret }) => [id, secret.toString('base64')]),
    [
      ['k2', key(2)],
      ['k1', key(1)],
    ],
  )
})

test('the horizon is given in seconds', () => {
  assert.equal(readConfig({ ...required, ENQUEUE_HORIZON: '30' }).enqueueHorizonMs, 30_000)
})

const redisUrls = [
  'redis://localhost:6379/2',
  'rediss://user:secret@redis.example.com:6380',
  'redis+sentinel://10.0.0.1:26379,10.0.0.2:26379/mymaster',
  'redis+cluster://10.0.0.1:6379,10.0.0.2:6379',
  'redis+cluster://:secret@10.0.0.1:6379,10.0.0.2:6379?tls=true',
  'redis+sentinel://10.0.0.1:26379/mymaster?sentinel_password=secret',
]
for (const url of redisUrls) {
  test(`REDIS_URL may be ${url}`, () => {
    assert.equal(readConfig({ ...required, REDIS_URL: url }).redisUrl, url)
  })
}

for (const name of Object.keys(required)) {
  test(`${name} is required`, () => {
    assert.throws(() => readConfig({ ...required, [name]: undefined }), { message: `${name}: is required` })
  })
}

const refusals: [name: string, value: string, line: string][] = [
  ['PORT', 'abc', '"abc" is not a port, 0 to 65535'],
  ['PORT', '70000', '"70000" is not a port, 0 to 65535'],
  ['METRICS_PORT', '80.5', '"80.5" is not a port, 0 to 65535'],
  ['BASE_URL', 'localhost', 'expected http://host or https://host'],
  ['BASE_URL', 'ftp://localhost', 'expected http://host or https://host'],
  ['DATABASE_URL', 'localhost', 'expected postgres://user:password@host:port/database'],
  ['SMTP_URL', 'mail.example.com', 'expected smtp://host:port or smtps://host:port'],
  ['ADMIN_TOKEN', 'short', 'must have at least 16 characters'],
  ['SESSION_SECRETS', 'short', 'expected secrets of at least 32 characters each, separated by commas'],
  ['SESSION_SECRETS', ',', 'expected secrets of at least 32 characters each, separated by commas'],
  ['ENCRYPTION_KEYS', ',', 'must not be empty'],
  ['LOG_LEVEL', 'loud', 'must be fatal, error, warn, info, debug, trace or silent'],
  ['WORKER_POOLS', 'timers,emails', 'must be timers, deliveries, ical, connections, publishing, mail or upkeep'],
  ['ENQUEUE_HORIZON', 'soon', 'expected whole seconds, 1 to 86400'],
  ['ENQUEUE_HORIZON', '0', 'expected whole seconds, 1 to 86400'],
  ['OTEL_SDK_DISABLED', 'perhaps', 'expected true or false'],
  ['REQUIRE_PROVEN_ADDRESS', 'perhaps', 'expected true or false'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'expected a number from 0 to 1'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'expected http://host:port or https://host:port'],
  ['OIDC_PROVIDERS', '[]', 'must be an object'],
  ['OIDC_PROVIDERS', '{"A b":{}}', 'A b: expected names of lower-case letters, digits and -'],
  [
    'OIDC_PROVIDERS',
    '{"a":{"issuer":"https://id.example","client_id":"","client_secret":"s"}}',
    'a.client_id: must not be empty',
  ],
  [
    'OIDC_PROVIDERS',
    '{"a":{"issuer":"https://id.example","client_id":"i","client_secret":"s","scope":"all"}}',
    'a.scope: is not a known field here',
  ],
  ['CALENDAR_PROVIDERS', '{', 'expected JSON'],
  ['CALENDAR_PROVIDERS', '{"apple":{}}', 'apple: is not a known field here'],
  ['CALENDAR_PROVIDERS', '{"google":{"client_id":"a"}}', 'google.client_secret: is required'],
  [
    'CALENDAR_PROVIDERS',
    '{"google":{"client_id":"a","client_secret":"b","api_url":"ftp://a"}}',
    'google.api_url: expected an https address',
  ],
  ['OUTBOUND_TRUSTED_HOSTS', 'http://127.0.0.1:4000', 'expected host or host:port, separated by commas'],
  ['OUTBOUND_TRUSTED_HOSTS', 'localhost,127.0.0.1/hook', 'expected host or host:port, separated by commas'],
  ['MCP_ALLOWED_ORIGINS', 'app.example.com', 'expected origins such as https://app.example.com, separated by commas'],
  [
    'MCP_ALLOWED_ORIGINS',
    'https://app.example.com/x',
    'expected origins such as https://app.example.com, separated by commas',
  ],
  ['OUTBOUND_TRUSTED_HOSTS', '*.example.com', 'expected host or host:port, separated by commas'],
]
for (const [name, value, line] of refusals) {
  test(`${name}=${value.slice(0, 50)} is told what is expected`, () => {
    assert.throws(() => readConfig({ ...required, [name]: value }), { message: `${name}: ${line}` })
  })
}

test('hosts that are trusted may be names and addresses of both families, with a port', () => {
  const hosts = ['localhost', 'my_service:8080', '10.0.0.1', '::1', '[::1]', '[::1]:8080', 'xn--mnchen-3ya.example.com']
  assert.deepEqual(readConfig({ ...required, OUTBOUND_TRUSTED_HOSTS: hosts.join(',') }).trustedHosts, hosts)
})

test('no secret is repeated in the line that refuses it', () => {
  const secret = 'a-secret-of-24-letters-x'
  for (const name of ['SESSION_SECRETS', 'ENCRYPTION_KEYS']) {
    assert.throws(
      () => readConfig({ ...required, [name]: secret }),
      ({ message }: Error) => !message.includes(secret),
    )
  }
})

test('there are traces where an endpoint is set, unless they are disabled', () => {
  const isOn = (env: Record<string, string>) => readConfig({ ...required, ...env }).telemetry.isOn
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  assert.equal(isOn(endpoint), true)
  assert.equal(isOn({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }), true)
  assert.equal(isOn({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), false)
  assert.equal(isOn({ OTEL_SERVICE_NAME: 'calendar' }), false)
})

test('every variable that is read has a name to document', () => {
  for (const name of Object.keys(required)) assert.ok(variableNames.includes(name), name)
  assert.equal(new Set(variableNames).size, variableNames.length)
})
