// A collector that keeps the traces of processes.
import { createServer } from 'node:http'
import { listenOnLoopback } from '../world/listen.ts'

export async function openTraces(close: (closing: () => void) => void) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await listenOnLoopback(server)
  close(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, text: () => bodies.join('') }
}
