// Tests with a client of the real service, or of a server that is not the service.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { AgentCalendar, type AgentCalendarOptions } from '../typescript/src/entry.ts'

export const clientTest = () =>
  serviceTest().extend('calendar', perFile, ({ service, key }) => {
    return new AgentCalendar({ baseUrl: service.baseUrl, apiKey: key })
  })

type StrangeServer = {
  url: string
  requests: IncomingMessage[]
  close(): Promise<void>
}

/** Gives the answers of a test. `nth` counts requests from 1. */
export async function openStrangeServer(
  answer: (response: ServerResponse, nth: number, request: IncomingMessage) => void,
  port = 0,
): Promise<StrangeServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume()
    answer(response, requests.length, request)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A client of such a server; its retries wait a few hundred milliseconds. */
export async function withStrangeServer(
  answer: Parameters<typeof openStrangeServer>[0],
  work: (calendar: AgentCalendar, server: StrangeServer) => Promise<void>,
  options: AgentCalendarOptions = {},
): Promise<void> {
  const server = await openStrangeServer(answer)
  try {
    await work(new AgentCalendar({ baseUrl: server.url, apiKey: 'svc_sk_of_the_test', ...options }), server)
  } finally {
    await server.close()
  }
}

export const sendJson = (response: ServerResponse, status: number, body: unknown, headers: object = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const refusal = (type: string, more: object = {}) => ({
  error: { type, message: `It is ${type}.`, param: null, request_id: 'req_1', ...more },
})
