// A further API process of the same installation: its own caches and connections, the same stores.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Gate, openGate } from '../../api/gate.ts'
import { openServer } from '../../api/server.ts'
import { type App, closeApp, openApp } from '../app.ts'
import type { TestService } from './harness.ts'
import { type Caller, callerOf } from './http.ts'

export type TestProcess = { app: App; gate: Gate; call: Caller; close(): Promise<void> }

export async function openProcess({ app: { config }, clock }: TestService): Promise<TestProcess> {
  const app = openApp(config, { name: 'test, another process', connections: 4, statementDeadlineMs: 20_000, clock })
  if (app.redis.status !== 'ready') await new Promise((resolve) => app.redis.once('ready', resolve))
  const gate = openGate(app)
  const server = createServer(openServer(app, gate))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    app,
    gate,
    call: callerOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await closeApp(app)
    },
  }
}
