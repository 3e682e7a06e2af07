// The official conformance suite. What is not about tools of the suite's own runs against the product; the rest against the same
// transport with a table of those tools. Left out is what the server declines: logging, subscriptions, sampling, elicitation,
// progress, and streams that are kept open.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { conformanceDesk } from '../../src/testing/conformanceDesk.ts'
import { openKeyProxy } from '../../src/testing/keyProxy.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { openProtocol } from './server.ts'

const test = serviceTest()
  .extend('product', perFile, async ({ service, key }, { onCleanup }) => {
    const proxy = await openKeyProxy(service.baseUrl, key)
    onCleanup(proxy.close)
    return proxy.url
  })
  .extend('fixtures', perFile, async ({ service }, { onCleanup }) => {
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

const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

type Check = { id: string; status: string; errorMessage?: string }

/** The checks that do not succeed. */
const failuresOf = (url: string, revision: string, scenario: string) =>
  new Promise<Check[]>((resolve, reject) => {
    const chosen = ['--url', `${url}/mcp`, '--scenario', scenario, '--spec-version', revision, '--verbose']
    execFile(process.execPath, [suite, 'server', ...chosen], { maxBuffer: 2 ** 24 }, (_failure, stdout, stderr) => {
      // Between its own lines it prints the checks as JSON.
      const printed = /^\[\n[\s\S]*?^\]$/m.exec(stdout)?.[0]
      if (!printed) return reject(new Error(`${scenario}: ${stdout}${stderr}`))
      const checks = JSON.parse(printed) as Check[]
      assert.ok(checks.length > 0, scenario)
      return resolve(checks.filter(({ status }) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status)))
    })
  })

const ofBoth = ['tools-list', 'resources-list', 'prompts-list', 'completion-complete', 'dns-rebinding-protection']
const scenarios = {
  '2025-11-25': ['server-initialize', 'ping', ...ofBoth],
  '2026-07-28': [...ofBoth, 'caching', 'sep-2164-resource-not-found', 'http-header-validation'],
}
for (const [revision, names] of Object.entries(scenarios)) {
  for (const name of names) {
    test(`the product passes ${name} of ${revision}`, async ({ product }) => {
      assert.deepEqual(await failuresOf(product, revision, name), [])
    })
  }
}

test('of what makes the server stateless, only the checks that need tools of the suite are open', async ({
  product,
}) => {
  const failures = await failuresOf(product, '2026-07-28', 'server-stateless')
  for (const { errorMessage } of failures)
    assert.match(errorMessage!, /^Not testable: server does not list the diagnostic tool/)
  assert.deepEqual(
    failures.map(({ id }) => id),
    [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  )
})

const fixtureScenarios = [
  ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
  ...['tools-call-mixed-content', 'tools-call-error', 'resources-read-text', 'resources-read-binary'],
  ...['resources-templates-read', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
  'prompts-get-with-image',
]
for (const revision of Object.keys(scenarios)) {
  for (const name of fixtureScenarios) {
    test(`the transport passes ${name} of ${revision}`, async ({ fixtures }) => {
      assert.deepEqual(await failuresOf(fixtures, revision, name), [])
    })
  }
}
