// The API with one more route that does nothing: what is left is the gate.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openGate } from '../../../api/gate/gate.ts'
import { route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes.ts'
import { openServer } from '../../../api/server.ts'
import { openApp } from '../../../src/app.ts'
import { requireConfig } from '../../../src/process.ts'
import { endWithParent } from '../child.ts'

const trivial = route({
  method: 'get',
  path: '/v1/empty',
  tag: 'Benchmark',
  operationId: 'readNothing',
  summary: 'Nothing',
  access: 'key',
  success: { status: 200 },
  errors: [],
  run: async () => ({ ok: true }),
})

endWithParent()
const app = openApp(requireConfig(), { name: 'bench', connections: 20 })
const http = createServer(openServer(app, openGate(app), [...routes, trivial])).listen(0, '127.0.0.1', () =>
  process.send!({ ready: true, port: (http.address() as AddressInfo).port }),
)
