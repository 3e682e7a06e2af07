// The official clients of both generations, with their own checks on: each throws if an answer is not what its schema says.
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { modernRevision } from './mcp.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any

/** The parts that both generations have. */
export type AnyClient = {
  listTools(): Promise<Any>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Any>
  listResources(): Promise<Any>
  listResourceTemplates(): Promise<Any>
  readResource(params: { uri: string }): Promise<Any>
  listPrompts(): Promise<Any>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<Any>
  complete(params: Any): Promise<Any>
  close(): Promise<void>
}

const info = { name: 'test', version: '1' }
const modes = { legacy: 'legacy', auto: 'auto', pinned: { pin: modernRevision } } as const

export const clientKinds = ['v1', 'v2 legacy', 'v2 auto', 'v2 pinned'] as const
type ClientKind = (typeof clientKinds)[number]

type Address = { url: string; key: string }

/** `viaBridge`: through the bridge, as a child process. */
export async function openClient(kind: ClientKind, address: Address, viaBridge = false): Promise<AnyClient> {
  if (kind === 'v1') {
    const client = new FirstClient(info)
    // Its types allow undefined where its own interface does not.
    await client.connect((viaBridge ? new FirstStdio(bridge(address)) : new FirstHttp(...over(address))) as Any)
    return client as Any
  }
  const mode = modes[kind.split(' ')[1] as keyof typeof modes]
  const client = new Client(info, { versionNegotiation: { mode } })
  const transport = viaBridge
    ? new StdioClientTransport(bridge(address))
    : new StreamableHTTPClientTransport(...over(address))
  await client.connect(transport)
  return client as Any
}

const over = ({ url, key }: Address) =>
  [new URL(url), { requestInit: { headers: { authorization: `Bearer ${key}` } } }] as const

/** How a host starts the bridge. */
function bridge({ url, key }: Address) {
  const { origin, pathname, searchParams } = new URL(url)
  return {
    command: process.execPath,
    args: [bridgeFile, ...[...searchParams].flatMap(([name, value]) => [`--${name}`, value])],
    env: { AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: origin + pathname },
  }
}

export const bridgeFile = fileURLToPath(new URL('../../../api/mcp/protocol/bridge.mjs', import.meta.url))
