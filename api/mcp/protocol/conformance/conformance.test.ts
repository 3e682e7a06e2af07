// The official conformance suite, whole, with every revision that it knows: against the product, and against the product's
// transport with the tools, resources and prompts that the suite calls by name. The expected failures are in product.yml and
// transport.yml. An entry that passes fails the test, so the lists stay true.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { conformanceDesk } from '../../../../src/testing/conformanceDesk.ts'
import { openKeyProxy } from '../../../../src/testing/keyProxy.ts'
import { perFile, serviceTest } from '../../../../src/testing/test.ts'
import { openProtocol } from '../server.ts'

const test = serviceTest()
  .extend('product', perFile, async ({ service, key }, { onCleanup }) => {
    const proxy = await openKeyProxy(service.baseUrl, key)
    onCleanup(proxy.close)
    return proxy.url
  })
  .extend('transport', perFile, async ({ service }, { onCleanup }) => {
    const protocol = openProtocol(service.app.config)
    const server = createServer(async (req, res) => {
      const body = req.method === 'POST' ? ((await json(req)) as { id?: unknown }) : {}
      if (body.id === undefined) {
        res.writeHead(req.method === 'POST' ? 202 : 405).end()
        return
      }
      const answer = await protocol(body, req.headers, conformanceDesk)
      res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! }).end(await answer.text())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onCleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

type Outcome = { passed: string[]; wrong: string[]; printed: string }

/** `wrong`: what fails and is not in the list, or is in the list and passes. */
const run = (url: string, chosen: readonly string[], expected: string) =>
  new Promise<Outcome>((resolve) => {
    const file = fileURLToPath(new URL(expected, import.meta.url))
    const words = ['server', '--url', `${url}/mcp`, ...chosen, '--expected-failures', file]
    execFile(process.execPath, [suite, ...words], { maxBuffer: 2 ** 24 }, (_failure, stdout, stderr) => {
      const [summary = '', judged = ''] = stdout.slice(stdout.indexOf('=== SUMMARY ===')).split(/^Total: .*$/m)
      const passed = [...summary.matchAll(/^✓ ([\w-]+): [1-9]/gm)].map(([, name]) => name!)
      // Below what is expected stand two lists: entries that pass now, and failures that are in no entry.
      const wrong = [...judged.matchAll(/(?:Stale|Unexpected)[^\n]*:\S*\n((?: {2}[✓✗] .*\n)+)/g)].flatMap(
        ([, list = '']) => list.split('\n'),
      )
      resolve({ passed, wrong, printed: stdout + stderr })
    })
  })

// The suite has no scenario of 2025-03-26, and no list of what 2025-06-18 requires.
const runs = {
  '2025-06-18': ['--spec-version', '2025-06-18'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2026-07-28': ['--requirements', '2026-07-28'],
}
/** These must be seen to pass against the product, so that a suite that runs nothing is noticed. */
const passedByAll = ['completion-complete', 'tools-list', 'resources-list', 'prompts-list']

for (const [revision, chosen] of Object.entries(runs)) {
  test(`the product conforms to ${revision}`, async ({ product }) => {
    const { passed, wrong, printed } = await run(product, chosen, 'product.yml')
    assert.deepEqual(wrong, [], printed)
    for (const name of passedByAll) assert.ok(passed.includes(name), printed)
  })

  test(`its transport conforms to ${revision} with the tools of the suite`, async ({ transport }) => {
    const { passed, wrong, printed } = await run(transport, chosen, 'transport.yml')
    assert.deepEqual(wrong, [], printed)
    for (const name of ['tools-call-simple-text', 'tools-call-error']) assert.ok(passed.includes(name), printed)
  })
}
