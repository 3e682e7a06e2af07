// The configurations of docs/mcp.md: what each host would do with its own, the official client does here.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bridgeFile } from '../../../src/testing/mcp/mcpClients.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const test = serviceTest()

type Server = {
  url?: string
  headers?: Record<string, string>
  command?: string
  args?: string[]
  env?: Record<string, string>
}

const document = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
const hosts = document.slice(document.indexOf('## Connect a host'), document.indexOf('**Your own program**'))
/** The name of a host, and its block of configuration. */
const blocks = [...hosts.matchAll(/^\*\*(.+?)\*\*[^\n]*\n\n```(\w+)\n([\s\S]*?)^```$/gm)]

function serverIn(form: string, text: string): Server {
  if (form === 'json') {
    const { mcpServers, servers, context_servers } = JSON.parse(text)
    const { url, serverUrl, httpUrl, ...rest } = (mcpServers ?? servers ?? context_servers)['agent-calendar']
    return { ...rest, url: url ?? serverUrl ?? httpUrl }
  }
  if (form === 'toml') {
    const variable = /^bearer_token_env_var = "(\w+)"$/m.exec(text)![1]
    return { url: /^url = "(.+)"$/m.exec(text)![1]!, headers: { Authorization: `Bearer $${variable}` } }
  }
  const [, url, name, value] = /(http\S+) --header "([\w-]+): (.+)"/.exec(text)!
  return { url: url!, headers: { [name!]: value! } }
}

/** As the host fills it in. */
const filledIn = (text: string, key: string): string =>
  text.replace(/\$\{(?:env:AGENT_CALENDAR_KEY|input:calendar-key)\}|\$AGENT_CALENDAR_KEY|svc_ak_…/, key)

const filled = (all: Record<string, string> = {}, key: string, baseUrl: string) =>
  Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, filledIn(value, key).replace('http://localhost:3000', baseUrl)]),
  )

function transportOf({ url, headers, command, args, env }: Server, key: string, baseUrl: string) {
  if (!command) {
    const address = new URL(url!.replace('http://localhost:3000', baseUrl))
    return new StreamableHTTPClientTransport(address, { requestInit: { headers: filled(headers, key, baseUrl) } })
  }
  const files = args!.map((arg) => arg.replace('/path/to/bridge.mjs', bridgeFile))
  return new StdioClientTransport({ command: process.execPath, args: files, env: filled(env, key, baseUrl) })
}

test('there is a configuration for each common host', () => {
  assert.deepEqual(
    blocks.map(([, name]) => name),
    ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Windsurf', 'Codex CLI', 'Gemini CLI', 'Cline', 'Zed'],
  )
})

for (const [, name, form, text] of blocks) {
  test(`the configuration of ${name} connects`, async ({ service, key }) => {
    const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(transportOf(serverIn(form!, text!), key, service.baseUrl))
    try {
      const { tools } = await client.listTools()
      assert.equal(tools.length, 15)
      const { isError } = await client.callTool({ name: 'list_calendars', arguments: {} })
      assert.ok(!isError)
    } finally {
      await client.close()
    }
  })
}
