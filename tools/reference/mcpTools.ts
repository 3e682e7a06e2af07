import { readFileSync } from 'node:fs'
import { listedTool, type Tool } from '../../api/mcp/language/tool.ts'
import { fullTools, profiles } from '../../api/mcp/tools/toolTable.ts'
import { code, page, table } from './markdown.ts'

/** The size of a list as a client gets it; a token of today's models is about four bytes. */
const bytesOf = (tools: readonly Tool[]): number => Buffer.byteLength(JSON.stringify(tools.map(listedTool)))

const thousands = (count: number): string => count.toLocaleString('en')

const meanings = {
  reads: 'reads',
  creates: 'creates',
  changes: 'changes',
  idempotent: 'changes, safely',
}

function argumentsOf(tool: Tool): string {
  const { properties = {}, required = [] } = listedTool(tool).inputSchema as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `**${code(name)}**` : code(name)))
    .join(', ')
}

const twinsOf = ({ twins }: Tool): string =>
  twins.map(({ method, path }) => code(`${method.toUpperCase()} ${path}`)).join(', ')

const needsOf = ({ twins: [twin], feature = twin.feature }: Tool): string =>
  [
    twin.access === 'organization' && "the organization's key",
    feature && `paid plan (${code(feature)})`,
    twin.spends && `1 of ${code(twin.spends)}`,
  ]
    .filter(Boolean)
    .join(', ')

const rowOf = (tool: Tool) => [
  code(tool.name),
  tool.description,
  argumentsOf(tool),
  Object.keys(tool.answer).map(code).join(', '),
  meanings[tool.effect],
  twinsOf(tool),
  needsOf(tool),
]

const head = ['Tool', 'What it does', 'Arguments (**required**)', 'Answer', 'Effect', 'The same as', 'Needs']

const playedFile = new URL('../../trials/firstTry/played.json', import.meta.url)

/** The results of the recorded calls of hurried models, from the last run. */
function firstTries(): string {
  const played: Record<string, { ends: string; bytes: number }> = JSON.parse(readFileSync(playedFile, 'utf8'))
  return table(
    ['Task', 'How it ends', 'Tokens'],
    Object.entries(played).map(([task, { ends, bytes }]) => [task, ends, thousands(Math.ceil(bytes / 4))]),
  )
}

export const mcpToolsPage = (): string =>
  page(
    'Tools',
    '`api/mcp/tools/toolTable.ts`',
    'The tools of the MCP server ([how to connect](../mcp.md)), by profile. Errors, rates and quotas are those of the endpoint that does the same.',
    '## Size of the lists',
    'The size of the list for an organization key on a paid plan: UTF-8 bytes of the list as JSON, and that by 4 as tokens. (The tokenizer `cl100k` came out 8 % lower.) Output schemas are part of it, though most hosts do not show them to the model.',
    table(
      ['Profile', 'Tools', 'Bytes', 'Tokens'],
      [...Object.entries(profiles), ['full', fullTools] as const].map(([name, tools]) => [
        code(name),
        String(tools.length),
        thousands(bytesOf(tools)),
        thousands(Math.round(bytesOf(tools) / 4)),
      ]),
    ),
    '## Results of hurried models',
    'Each task is the call that a hurried model makes; `npm run first-try` makes it. A repair merges the first suggestion of the refusal, or waits as long as it says, and nothing else. Tokens are the bytes of all answers to the task by 4.',
    firstTries(),
    ...Object.entries(profiles).map(([name, tools]) =>
      [`## Profile ${code(name)}`, table(head, (tools as readonly Tool[]).map(rowOf))].join('\n\n'),
    ),
  )
