// The door to the SDK. Each request gets a server of its own, which forgets it with the answer: nothing is remembered, so
// any process answers any request.
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Config } from '../../../src/config.ts'
import { instructions } from './instructions.ts'
import { wrongParams } from './params.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
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

/** The data and actions of one caller. Its errors are shown without detail, unless they are a `ParamsError`. */
export type Responder = {
  answer(method: (typeof methods)[number], params: Record<string, unknown>): Promise<object>
  /** Gets every error that the caller does not see. */
  failed(error: unknown): void
  /** The gate refused the call of a tool. */
  isRefused?: true
}

/** The request names something that does not exist, or has wrong params. */
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
  const desks = new WeakMap<Request, Responder>()
  const modern = createMcpHandler(({ requestInfo }) => serverFor(config, desks.get(requestInfo!)!), {
    legacy: 'reject',
  })

  return async (sent: RequestBody, sentHeaders: IncomingHttpHeaders, responder: Responder): Promise<Response> => {
    const sdkRequest = responder.isRefused ? plainCall(sent, sentHeaders) : { message: sent, headers: sentHeaders }
    const { message, headers, wrong } = inRightForm(sdkRequest)
    const answering = wrong === undefined ? responder : refusing(responder, wrong)
    const request = webRequest(`${config.baseUrl}/mcp`, isHandshake(message) ? {} : headers)
    if (await isLegacyRequest(request, message)) {
      return answerLegacy(serverFor(config, legacyResponder(answering)), request, message)
    }
    desks.set(request, answering)
    return modern.fetch(request, { parsedBody: message })
  }
}

type RequestBody = Record<string, unknown>

/** A handshake agrees on a version, so the header names none yet. An unsupported version is answered with a supported one. */
function isHandshake({ method, params }: RequestBody): boolean {
  const { _meta } = (params ?? {}) as { _meta?: Record<string, unknown> | null }
  return method === 'initialize' && _meta?.[PROTOCOL_VERSION_META_KEY] === undefined
}

type SdkRequest = { message: RequestBody; headers: IncomingHttpHeaders }

/** A message with params that the SDK accepts, and the fault of the params that were sent. */
function inRightForm({ message, headers }: SdkRequest): SdkRequest & { wrong?: string } {
  const params = (message.params ?? {}) as RequestBody
  const form = wrongParams(String(message.method), params)
  if (!form) return { message, headers }
  const { taken, expected } = form
  const kept = '_meta' in params ? { _meta: params._meta } : {}
  const right = (own: RequestBody) => ({ ...message, params: { ...taken, ...own, ...kept } })
  const key = ['name', 'uri'].find((one) => one in taken)
  if (!key) return { message: right({}), headers, wrong: expected }
  // The SDK compares it with the header; only a text can be compared.
  const sent = params[key]
  if (typeof sent === 'string') return { message: right({ [key]: sent }), headers, wrong: expected }
  const name = headers['mcp-name'] ?? String(taken[key])
  return { message: right({ [key]: name }), headers: { ...headers, 'mcp-name': name }, wrong: expected }
}

const refusing = (responder: Responder, expected: string): Responder => ({
  ...responder,
  answer: async () => {
    throw new ParamsError(expected)
  },
})

/** How long an answer may be kept is only said in the newest revision. */
const legacyResponder = (responder: Responder): Responder => ({
  ...responder,
  async answer(method, params) {
    const { ttlMs: _, cacheScope: __, ...result } = (await responder.answer(method, params)) as RequestBody
    return result
  },
})

const newest = '2026-07-28'

/** A refusal of the gate comes before any other fault of the message. */
function plainCall({ id, params }: RequestBody, headers: IncomingHttpHeaders) {
  const { _meta } = (params ?? {}) as { _meta?: Record<string, unknown> | null }
  const isModern = [headers['mcp-protocol-version'], _meta?.[PROTOCOL_VERSION_META_KEY]].includes(newest)
  const [method, name] = ['tools/call', 'refused']
  const message = { jsonrpc: '2.0', id, method }
  if (!isModern) return { message: { ...message, params: { name } }, headers: {} }
  const meta = { [PROTOCOL_VERSION_META_KEY]: newest, [CLIENT_CAPABILITIES_META_KEY]: {} }
  return {
    message: { ...message, params: { name, _meta: meta } },
    headers: { 'mcp-protocol-version': newest, 'mcp-method': method, 'mcp-name': name },
  }
}

const acceptAll = 'application/json, text/event-stream'

/** Every caller gets JSON, so the request asks the SDK for it. */
function webRequest(url: string, headers: IncomingHttpHeaders): Request {
  const own: Record<string, string> = { 'content-type': 'application/json', accept: acceptAll }
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = headers[name]
    if (typeof value === 'string') own[name] = value
  }
  return new Request(url, { method: 'POST', headers: own })
}

async function answerLegacy(server: Server, request: Request, message: RequestBody): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  await server.connect(transport)
  try {
    return await corrected(await transport.handleRequest(request, { parsedBody: message }), message)
  } finally {
    await server.close()
  }
}

/** The code of the SDK for errors that have only an HTTP status here. */
const noCode = -32000

/** Errors in the service's own form: the SDK has a code of its own for a refusal, and reports a missing version as an internal error. */
async function corrected(response: Response, message: RequestBody): Promise<Response> {
  const { status } = response
  if (status === 200 && message.method !== 'initialize') return response
  const body = (await response.json()) as { error?: { code: number; message: string } }
  if (body.error?.code === noCode) body.error.code = status
  if (body.error && status === 200 && !isInitializeRequest(message)) {
    const expected = 'Send protocolVersion, capabilities and clientInfo with its name and version.'
    body.error = { code: ProtocolErrorCode.InvalidParams, message: expected }
  }
  return Response.json(body, { status })
}

function serverFor({ baseUrl }: Config, responder: Responder): Server {
  const info = { name: 'agent-calendar', title: 'Agent Calendar', version, websiteUrl: `${baseUrl}/docs` }
  const server = new Server(info, { capabilities, instructions, cacheHints })
  for (const method of methods) {
    server.setRequestHandler(method, async ({ params }) => {
      try {
        // The SDK checks the result against the schema of the protocol.
        return (await responder.answer(method, params ?? {})) as never
      } catch (error) {
        if (error instanceof ParamsError)
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, error.data)
        responder.failed(error)
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
      }
    })
  }
  return server
}
