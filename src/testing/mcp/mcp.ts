// Asking `/mcp` as a client does, message by message.
import type { TestService } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any

/** The revisions that are answered, the newest last. */
export const legacyRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const
export const modernRevision = '2026-07-28'
export const revisions = [...legacyRevisions, modernRevision] as const
type Revision = (typeof revisions)[number]

type McpOptions = {
  key?: string
  /** `2025-11-25` by default. */
  revision?: Revision
  /** After `/mcp`, with its question mark. */
  query?: string
  headers?: Record<string, string>
}

export type McpAnswer = { status: number; headers: Headers; text: string; body: Any }

const meta = {
  'io.modelcontextprotocol/protocolVersion': modernRevision,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

/** The body and the headers of a request, as its revision writes them. */
export function mcpMessage(method: string, params: Record<string, unknown> = {}, revision: Revision = '2025-11-25') {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  if (revision !== modernRevision) return { body, headers: { 'mcp-protocol-version': revision } }
  const name = (params.name ?? params.uri) as string | undefined
  return {
    body: { ...body, params: { ...params, _meta: meta } },
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
  }
}

type Base = Pick<TestService, 'baseUrl'>

/** Sends one request of the protocol. */
export async function askMcp(
  service: Base,
  method: string,
  params: Record<string, unknown> = {},
  { revision, ...options }: McpOptions = {},
): Promise<McpAnswer> {
  const { body, headers } = mcpMessage(method, params, revision)
  return postMcp(service, JSON.stringify(body), { ...options, headers: { ...headers, ...options.headers } })
}

/** Sends a raw body. */
export async function postMcp(
  service: Base,
  raw: string,
  { key, query = '', headers }: Omit<McpOptions, 'revision'> = {},
): Promise<McpAnswer> {
  const response = await fetch(`${service.baseUrl}/mcp${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: raw,
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : text }
}

/** The result of a call of a tool. */
export async function callMcp(
  service: Base,
  name: string,
  args: Record<string, unknown>,
  options: McpOptions = {},
): Promise<Any> {
  const { body } = await askMcp(service, 'tools/call', { name, arguments: args }, options)
  return body.result ?? body
}

/** The error of a call that was refused. */
export function mcpError(result: Any): Any {
  if (result.isError !== true) throw new Error(`it was not refused: ${JSON.stringify(result)}`)
  if (result.structuredContent !== undefined) throw new Error('a refusal has no structuredContent')
  return JSON.parse(result.content[0].text).error
}
