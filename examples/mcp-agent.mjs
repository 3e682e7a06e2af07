// The work of a model with the tools: it looks at the week, and plans an event. Here a program takes the place of the model.
// AGENT_CALENDAR_KEY=svc_… CALENDAR=cal_… node examples/mcp-agent.mjs
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { AGENT_CALENDAR_URL = 'http://localhost:3000', AGENT_CALENDAR_KEY, CALENDAR } = process.env
const client = new Client({ name: 'example-agent', version: '1' })
const headers = { authorization: `Bearer ${AGENT_CALENDAR_KEY}` }
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', AGENT_CALENDAR_URL), { requestInit: { headers } }),
)

const { tools } = await client.listTools()
console.log(`${tools.length} tools`)
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const { structuredContent, isError, content } = await client.callTool({
  name: 'create_event',
  arguments: { calendar_id: CALENDAR, title: 'Review', start_time: `${day}T14:00:00Z`, end_time: `${day}T15:00:00Z` },
})
if (isError) throw new Error(content[0].text)
console.log(JSON.stringify(structuredContent))
await client.close()
