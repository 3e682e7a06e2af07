import type { Access, Route } from '../../api/http/route.ts'
import { tagDescriptions } from '../../api/openapi/about.ts'
import { routes } from '../../api/routes.ts'
import { errorCodes, errorTypes, typeOfCode, usualStatus } from '../../src/shapes/errorTypes.ts'
import { code, page, table } from './markdown.ts'

const accessMeanings: Record<Access, string> = {
  public: 'Anybody.',
  key: 'Any API key, or a console session.',
  organization: "The organization's key, or a console session. Agent keys are refused.",
  session: 'A console session. API keys are refused.',
  admin: 'The administrator, with `ADMIN_TOKEN`.',
}

const needsOf = ({ feature, spends }: Route): string =>
  [feature && `paid plan (${code(feature)})`, spends && `1 of ${code(spends)}`].filter(Boolean).join(', ')

const successesOf = ({ success, also = [] }: Route): string =>
  [...new Set([success, ...also].map(({ status }) => status))].join(', ')

const rowOf = (route: Route) => [
  `${code(route.method.toUpperCase())} ${code(route.path)}`,
  route.summary,
  route.access,
  successesOf(route),
  needsOf(route),
]

const section = ([tag, group]: [string, Route[]]) =>
  [
    `## ${tag}`,
    tagDescriptions[tag] ?? '',
    table(['Endpoint', 'What it does', 'Access', 'Success', 'Needs'], group.map(rowOf)),
  ].join('\n\n')

const besides = [
  '## Outside of the API',
  table(
    ['Endpoint', 'What it does'],
    [
      ['`GET` `/healthz`', 'Whether the process is up.'],
      ['`GET` `/readyz`', 'Whether Postgres answers. Says `degraded` while Redis is away.'],
      ['`GET` `/docs`', 'The interactive reference.'],
      ['`GET` `/openapi.json`', 'The OpenAPI 3.1 document: schemas, examples and errors of every endpoint.'],
      ['`POST` `/mcp`', 'The [MCP server](../mcp.md), with its [tools](tools.md).'],
      ['`GET` `/mcp/bridge.mjs`', 'The same over stdio, for hosts that start local programs.'],
      ['`GET` `/llms.txt`, `/llms-full.txt`', 'The service described for models: in short, and as a whole.'],
      ['`GET` `/admin/queues`', 'A page about the queues. Takes `ADMIN_TOKEN` as a bearer token or as a password.'],
      ['`GET` `/metrics`', "Prometheus metrics, on each process's own `METRICS_PORT`."],
    ],
  ),
].join('\n\n')

const errors = [
  '## Error types and codes',
  'The status is the usual one; `/openapi.json` lists the types, codes and statuses of each endpoint.',
  table(
    ['Type', 'Status', 'Codes'],
    errorTypes.map((type) => [
      code(type),
      String(usualStatus(type)),
      errorCodes
        .filter((name) => typeOfCode(name) === type)
        .map(code)
        .join(', '),
    ]),
  ),
].join('\n\n')

export const endpoints = (): string =>
  page(
    'Endpoints',
    '`api/routes.ts`',
    'The full reference, with schemas and examples, is at `/docs/reference` of a running service.',
    table(['Access', 'Who may call'], Object.entries(accessMeanings)),
    ...[...Map.groupBy(routes, (route) => route.tag)].map(section),
    besides,
    errors,
  )
