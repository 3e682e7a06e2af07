// The service described for models that read its site: https://llmstxt.org. Made from the tables of routes and tools.
import type { Route } from '../http/route.ts'
import { listedTool, type Tool } from '../mcp/language/tool.ts'
import { about } from '../mcp/protocol/about.ts'
import { allTools, profiles } from '../mcp/tools/toolTable.ts'
import { tagDescriptions } from './about.ts'
import { inputLines } from './llmsFields.ts'

const summary =
  '> The calendar service that software agents run on: calendars, events, holds and series, free time, proposals, booking pages, iCal feeds, and signed webhooks for every change. An HTTP API, and an MCP server at /mcp.'

/** The short one: an overview, and links to the rest. */
export function llmsText(routes: readonly Route[], baseUrl: string): string {
  const links = [
    ['Everything in one file', '/llms-full.txt', 'all endpoints with their fields, and all tools'],
    ['OpenAPI document', '/openapi.json', 'schemas, examples and errors of every endpoint'],
    ['Tools for models', '/docs/mcp', 'how to connect a host, recipes, what refusals mean'],
    ['Quickstart', '/docs/quickstart', 'requests to copy, one for each feature'],
    ['Guide', '/docs', 'recipes, concepts, operating'],
    ['Interactive reference', '/docs/reference', 'every operation, with samples'],
  ]
  const optional = [
    'Bridge for hosts that start local programs',
    '/mcp/bridge.mjs',
    'MCP over stdio, one file for Node 18',
  ]
  const line = ([name, path, what]: readonly string[]) => `- [${name}](${baseUrl}${path}): ${what}`
  const nouns = [...Map.groupBy(routes, ({ tag }) => tag)].map(
    ([tag, group]) =>
      `- ${tag}: ${tagDescriptions[tag] ?? ''} ${group.length} endpoint${group.length === 1 ? '' : 's'}.`,
  )
  return [
    '# Agent Calendar',
    summary,
    `Send an API key as \`Authorization: Bearer svc_sk_…\`. Models use the MCP server at ${baseUrl}/mcp (Streamable HTTP; \`?profile=\` chooses tools, \`scheduling\` without it); programs use the HTTP API at ${baseUrl}/v1.`,
    `An agent without a key gets one by itself: \`POST ${baseUrl}/v1/agent/sign-up\`. Every error says in \`message\` what is wrong; repeat a change safely with \`Idempotency-Key\`, or \`idempotency_key\` of a tool.`,
    ['## Documentation', '', ...links.map(line)].join('\n'),
    ['## HTTP API', '', ...nouns].join('\n'),
    ['## MCP tools', '', ...profileLines()].join('\n'),
    ['## Optional', '', line(optional)].join('\n'),
    '',
  ].join('\n\n')
}

const profileLines = (): string[] =>
  Object.entries(profiles).map(
    ([name, tools]) => `- profile ${name}: ${tools.map((tool: Tool) => tool.name).join(', ')}`,
  )

/** The long one: every endpoint and every tool. */
export const llmsFullText = (routes: readonly Route[], baseUrl: string): string =>
  [
    llmsText(routes, baseUrl).trimEnd(),
    '# HTTP API',
    'Each endpoint lists the fields of its query and body; `*` marks required ones.',
    ...[...Map.groupBy(routes, ({ tag }) => tag)].map(([tag, group]) =>
      [`## ${tag}`, tagDescriptions[tag] ?? '', ...group.map(endpointText)].filter(Boolean).join('\n\n'),
    ),
    '# MCP tools',
    ...allTools.map(toolText),
    about.trimEnd(),
    '',
  ].join('\n\n')

const endpointText = ({ method, path, summary: what, description, access, feature, query, body }: Route): string =>
  [
    `### ${method.toUpperCase()} ${path}`,
    `${what}. Access: ${access}${feature ? `, on paid plans (${feature})` : ''}.`,
    ...(description ? [description] : []),
    ...inputLines({ query, body }),
  ].join('\n\n')

function toolText(tool: Tool): string {
  const { name, title, description, inputSchema } = listedTool(tool)
  return [`### ${name}`, `${title}. ${description}`, '```json', JSON.stringify(inputSchema), '```'].join('\n')
}
