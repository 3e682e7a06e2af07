// A door in front of a CalDAV server: every answer takes as long as at the other providers, and some are disturbed.
import { createServer, type IncomingMessage, request as send } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listenOnLoopback } from '../world/listen.ts'
import type { Traffic } from './traffic.ts'

const refusals = { throttle: 429, fail: 500 } as const

/** Returns the origin. */
export async function openFront(port: number, traffic: Traffic, close: (closing: () => void) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const { method = '', url: path = '', headers } = request
    const { authorization } = headers
    const fate = traffic.note({ provider: 'caldav', method, path, authorization, body: body.toString() })
    if (fate === 'hang') return
    await pause(traffic.answerMs)
    if (fate === 'throttle' || fate === 'fail') return void response.writeHead(refusals[fate]).end()
    const onward = send({ host: '127.0.0.1', port, method, path, headers }, async (answer) => {
      const text = await textOf(answer)
      if (fate === 'drop') return void request.socket.destroy()
      const { 'transfer-encoding': _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 500, { ...kept, 'content-length': text.length }).end(text)
    })
    onward.on('error', () => request.socket.destroy())
    onward.end(body)
  })
  const frontPort = await listenOnLoopback(server)
  close(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${frontPort}`
}

async function textOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
