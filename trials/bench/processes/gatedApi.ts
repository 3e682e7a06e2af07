// The API with one more route that does nothing, so that only the gate is measured.
import { openGate } from '../../../api/gate/gate.ts'
import { route } from '../../../api/http/route.ts'
import { openListener } from '../../../api/listener.ts'
import { routes } from '../../../api/routes.ts'
import { openServer } from '../../../api/server.ts'
import { openApp } from '../../../src/app.ts'
import { requireConfig } from '../../../src/process.ts'
import { serveHttp } from '../child.ts'

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

const app = openApp(requireConfig(), { name: 'bench', connections: 20 })
await serveHttp(openListener(app, openServer(app, openGate(app), [...routes, trivial])))
