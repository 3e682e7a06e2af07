// Each variable has wrong values. A process that is given one says so before anything starts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { readConfig } from './config.ts'

const key = (byte: number, bytes = 32) => Buffer.alloc(bytes, byte).toString('base64')
const secret = 'a-secret-that-nobody-may-read'

const required = {
  DATABASE_URL: 'postgres://user@localhost/calendar',
  REDIS_URL: 'redis://localhost:6379',
  ADMIN_TOKEN: 'sixteen-characters',
  SESSION_SECRETS: 'thirty-two-characters-or-more-of-it',
  ENCRYPTION_KEYS: `k1:${key(1)}`,
}

const wrongPort = ['http', '65536', '-1', '80.5', '3000ms', '0x50', '1e3']
const wrongHost = ['example.com', '127.0.0', '[::1]', '*', '10.0.0.0/8']
const wrongFolder = ['/dev/null', '/dev/null/data']
const wrongEndpoint = ['collector:4318', 'grpc://collector:4317', 'http:/collector', 'https://']

const wrong: Record<string, readonly string[]> = {
  PORT: wrongPort,
  HOST: wrongHost,
  METRICS_PORT: wrongPort,
  METRICS_HOST: wrongHost,
  BASE_URL: [
    ...['cal.example.com', 'ftp://cal.example.com', 'https:cal.example.com', 'https:/cal.example.com', 'https://'],
    ...[
      'https://cal.example.com?a=b',
      'https://cal.example.com/?',
      'https://cal.example.com/#top',
      'https://cal.example.com#',
    ],
    ...[
      `https://ada:${secret}@cal.example.com`,
      `https://${secret}@cal.example.com/base`,
      'https://cal.example.com:port',
    ],
    ...['https://cal.example.com:99999', 'https://cal example.com', '/base'],
  ],
  DATA_DIR: wrongFolder,
  MAIL_DIR: wrongFolder,
  DATABASE_URL: [
    ...['mysql://localhost/calendar', 'localhost', 'postgres:/nowhere', 'postgres:nowhere', '/run/postgresql'],
    ...[
      `postgres://ada:${secret}%@db/calendar`,
      `postgres://ada:${secret}@db:port/c`,
      `postgres://ada:${secret}@db:99999/c`,
    ],
    ...[
      `postgres://ada:${secret}@db/c?sslmode=yes`,
      `postgres://ada:${secret}@db/c?sslmode`,
      'postgres://db/my calendar',
    ],
    ...['postgres://db/c%00', 'postgres://::1/c', 'postgres://db/c?connect_timeout=5s', `postgres://ada:${secret}/db`],
  ],
  REDIS_URL: [
    ...[
      'http://localhost:6379',
      'localhost:6379',
      'redis+tls://10.0.0.1:6379',
      'redis:/nowhere',
      'redis:nowhere',
      'redis://',
    ],
    ...['redis:///1', 'redis://localhost:port', 'redis://localhost:99999', 'redis://localhost/nowhere', 'redis://::1'],
    ...[`redis://:${secret}%@localhost`, `redis://:${secret}@`, 'redis://a,b', 'redis+sentinel://', 'redis+cluster://'],
    ...[
      'redis+cluster://10.0.0.1:6379,',
      'redis+cluster://10.0.0.1:port',
      `redis+sentinel://:${secret}%@a:26379/mymaster`,
    ],
  ],
  ADMIN_TOKEN: ['short', 'with a blank in it', 'with-ümlauts-in-it', 'with-a-line\nbreak-in-it'],
  SESSION_SECRETS: [secret, `${required.SESSION_SECRETS},${secret}`, ','],
  ENCRYPTION_KEYS: [
    ...[key(1), secret, `k1:${key(1, 16)}`, `k1:${key(1, 33)}`, `seventeen-letters:${key(1)}`, ','],
    ...[`k1:${key(1)},k1:${key(2)}`, `k1:${key(1)},k2:${secret}`],
  ],
  SMTP_URL: [
    ...['https://mail.example.com', 'mail.example.com', 'smtp:mail.example.com', 'smtp://', 'smtp://mail:port'],
    ...[`smtp://ada:${secret}%@mail.example.com`, `smtp://ada:${secret}@mail.example.com:99999`],
  ],
  MAIL_FROM: ['calendar', 'Calendar <cal@example.com>', 'cal@', 'a@example.com, b@example.com'],
  OIDC_PROVIDERS: [
    '{',
    '[]',
    '"acme"',
    '{"acme":{}}',
    `{"acme":{"issuer":"id","client_id":"a","client_secret":"${secret}"}}`,
  ],
  CALENDAR_PROVIDERS: ['{', '[]', '{"apple":{}}', `{"google":{"client_id":1,"client_secret":"${secret}"}}`],
  REQUIRE_PROVEN_ADDRESS: ['perhaps', '2'],
  TRUSTED_PROXIES: [
    ...[
      '::/0',
      '0.0.0.0/0',
      '10.0.0.0/33',
      '2001:db8::/129',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0/8',
      '300.0.0.1',
      ':::',
      'abc',
    ],
    ...['proxy.example.com', '10.0.0.0/255.0.0.0', 'fe80::1%eth0', '::ffff:0:0/96', '127.0.0.1,::/0', '10.0.0.1:80'],
  ],
  OUTBOUND_TRUSTED_HOSTS: [
    'http://127.0.0.1:4000',
    'localhost/hook',
    '*.example.com',
    'a b',
    'localhost:99999',
    'localhost:port',
  ],
  MCP_ALLOWED_ORIGINS: [
    'app.example.com',
    'https://app.example.com/',
    'ftp://app.example.com',
    '*',
    `https://${secret}@app.example.com`,
  ],
  ENQUEUE_HORIZON: ['0', '86401', 'soon', '10m', '600s', '1.5', '1e3', '-1'],
  LOG_LEVEL: ['verbose', 'INFO'],
  WORKER_POOLS: ['timers,emails', ',', 'all'],
  OTEL_EXPORTER_OTLP_ENDPOINT: wrongEndpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: wrongEndpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: ['json', 'http'],
  OTEL_EXPORTER_OTLP_HEADERS: [secret, `authorization=a,${secret}`, `=${secret}`],
  OTEL_SERVICE_NAME: ['two\nlines', 'x'.repeat(256)],
  OTEL_RESOURCE_ATTRIBUTES: ['production', 'a=b,c'],
  OTEL_TRACES_SAMPLER: ['ratio', '0.5'],
  OTEL_TRACES_SAMPLER_ARG: ['1.5', 'half', '50%', '-1'],
  OTEL_SDK_DISABLED: ['perhaps'],
}

const page = readFileSync(new URL('../docs/reference/environment.md', import.meta.url), 'utf8')
const documented = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!)

test('every documented variable has wrong values here', () => {
  assert.ok(documented.length > 30)
  assert.deepEqual(Object.keys(wrong).toSorted(), documented.toSorted())
})

for (const name of documented) {
  test(`a wrong ${name} is refused in one line that names it and shows no secret`, () => {
    for (const value of wrong[name] ?? []) {
      assert.throws(
        () => readConfig({ ...required, [name]: value }),
        ({ message }: Error) =>
          message.startsWith(`${name}: `) &&
          !/[\r\n]/.test(message) &&
          message.length < 200 &&
          !message.includes(secret),
        `${name}=${value}`,
      )
    }
  })
}

const right: Record<string, readonly string[]> = {
  BASE_URL: ['http://localhost:3000', 'https://cal.example.com/', 'https://cal.example.com/base', 'http://[::1]:3000'],
  TRUSTED_PROXIES: [
    '10.0.0.0/8',
    'loopback, uniquelocal',
    '::1',
    '2001:db8::/32',
    '::ffff:10.0.0.0/104',
    '127.0.0.1/32',
  ],
  REDIS_URL: ['redis://[::1]:6379', 'rediss://u:p%40s@db:6380/2?family=6', 'redis+sentinel://[::1]:26379,b/mymaster'],
  DATABASE_URL: ['postgres://u:p%40s%2Fs@[::1]:5433/my%20calendar?application_name=a%20b', 'postgresql:///c?host=/tmp'],
  DATA_DIR: ['.data', '/nowhere/a "b" \\c'],
}
for (const [name, values] of Object.entries(right)) {
  test(`${name} takes ${values.join(' and ')}`, () => {
    for (const value of values) assert.doesNotThrow(() => readConfig({ ...required, [name]: value }), value)
  })
}

const script = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

test('every program says it before anything starts', () => {
  const programs = [
    ['api/main.ts'],
    ['workers/main.ts'],
    ['ops/cli/main.ts', 'orgs', 'list'],
    ['ops/migrate.ts'],
    ['local/start.ts'],
  ]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...required, DATABASE_URL: `postgres://ada:${secret}@db:port/calendar` }
  for (const [path, ...words] of programs) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script(path!), ...words], { env, encoding: 'utf8' })
    const line = 'agent-calendar: DATABASE_URL: expected postgres://user:password@host:port/database\n'
    assert.deepEqual({ path, status, stdout, stderr }, { path, status: 1, stdout: '', stderr: line })
  }
})
