// The door to the SDK. Each request gets a server of its own, which forgets it with the answer: nothing is remembered, so
// any process answers any request.
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Config } from '../../src/config.ts'
import type { ToolResult } from './answer.ts'
import { instructions } from './instructions.ts'
import type { ListedTool } from './tool.ts'

/** What one caller may see and do. What it throws is shown as an error without detail, unless it is a `ProtocolError`. */
export type Desk = {
  listTools(): ListedTool[]
  /** Undefined: there is no such tool. */
  callTool(): Promise<ToolResult> | undefined
  /** Is told of every error that the caller does not see. */
  failed(error: unknown): void
}

/** How long a client may keep lists, in milliseconds. */
const listsTtlMs = 300_000
const kept = { ttlMs: listsTtlMs, cacheScope: 'private' } as const

const capabilities = { tools: {} }
const cacheHints = { 'tools/list': kept, 'server/discover': kept }

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const legacyAccept = 'application/json, text/event-stream'

/** Whoever asks gets JSON, so the SDK is told that it is wanted. */
function webRequest(url: string, headers: IncomingHttpHeaders): Request {
  const own: Record<string, string> = { 'content-type': 'application/json', accept: legacyAccept }
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = headers[name]
    if (typeof value === 'string') own[name] = value
  }
  return new Request(url, { method: 'POST', headers: own })
}

/** Answers one JSON-RPC request of either era. */
export function openProtocol(config: Config) {
  const desks = new WeakMap<Request, Desk>()
  const modern = createMcpHandler(({ requestInfo }) => serverFor(config, desks.get(requestInfo!)!), {
    legacy: 'reject',
  })

  return async (message: unknown, headers: IncomingHttpHeaders, desk: Desk): Promise<Response> => {
    const request = webRequest(`${config.baseUrl}/mcp`, headers)
    if (await isLegacyRequest(request, message)) return answerLegacy(serverFor(config, desk), request, message)
    desks.set(request, desk)
    return modern.fetch(request, { parsedBody: message })
  }
}

async function answerLegacy(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

function serverFor({ baseUrl }: Config, desk: Desk): Server {
  const info = { name: 'agent-calendar', title: 'Agent Calendar', version, websiteUrl: `${baseUrl}/docs` }
  const server = new Server(info, { capabilities, instructions, cacheHints })
  const shown = async <T>(answer: () => Promise<T> | T): Promise<T> => {
    try {
      return await answer()
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      desk.failed(error)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
    }
  }
  server.setRequestHandler('tools/list', () => shown(() => ({ tools: desk.listTools() }) as never))
  server.setRequestHandler('tools/call', () =>
    shown(() => {
      const result = desk.callTool()
      if (!result)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'Unknown tool. tools/list names those of this address.',
        )
      return result as never
    }),
  )
  return server
}
