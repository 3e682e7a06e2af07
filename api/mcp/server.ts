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
import { instructions } from './instructions.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The methods that a desk answers; the SDK answers the others itself. */
const methods = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
] as const

/** What one caller may see and do. What it throws is shown without detail, unless it is a `ParamsError`. */
export type Desk = {
  answer(method: (typeof methods)[number], params: Record<string, unknown>): Promise<object>
  /** Is told of every error that the caller does not see. */
  failed(error: unknown): void
}

/** What is asked for does not exist, or cannot be asked so. */
export class ParamsError extends Error {
  readonly data: unknown
  constructor(message: string, data?: unknown) {
    super(message)
    this.data = data
  }
}

/** How long a client may keep lists, in milliseconds. */
const listsTtlMs = 300_000
const kept = { ttlMs: listsTtlMs, cacheScope: 'private' } as const

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }
const cacheHints = {
  'server/discover': kept,
  'tools/list': kept,
  'resources/list': kept,
  'resources/templates/list': kept,
  'prompts/list': kept,
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

const acceptAll = 'application/json, text/event-stream'

/** Whoever asks gets JSON, so the SDK is told that it is wanted. */
function webRequest(url: string, headers: IncomingHttpHeaders): Request {
  const own: Record<string, string> = { 'content-type': 'application/json', accept: acceptAll }
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = headers[name]
    if (typeof value === 'string') own[name] = value
  }
  return new Request(url, { method: 'POST', headers: own })
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
  for (const method of methods) {
    server.setRequestHandler(method, async ({ params }) => {
      try {
        // The SDK checks the result against the schema of the protocol.
        return (await desk.answer(method, params ?? {})) as never
      } catch (error) {
        if (error instanceof ParamsError)
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, error.data)
        desk.failed(error)
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
      }
    })
  }
  return server
}
