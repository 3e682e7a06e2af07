// A proxy that adds a key to every request: for programs that cannot send a header. It passes on everything else as it is.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `origin`: where it passes requests on to. */
export async function openKeyProxy(origin: string, key: string) {
  const { hostname, port } = new URL(origin)
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` }
    const passed = request({ hostname, port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.rawHeaders)
      answer.pipe(res)
    })
    passed.on('error', () => res.destroy())
    req.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
