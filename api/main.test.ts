import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId } from '../src/shapes/ids.ts'
import { makeOrganization } from '../src/testing/factories.ts'
import type { TestService } from '../src/testing/harness.ts'
import { forkApi, openChild } from '../src/testing/process.ts'
import { serviceTest } from '../src/testing/test.ts'

const test = serviceTest()

/** A request of which half the body is sent. Resolves once the API reads it: it then asks for the rest. */
async function beginRequest(port: number, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const head = ['POST /v1/agents HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`, 'Content-Length: 100']
  socket.write(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n{"name":`)
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 100 /)
  return socket
}

/** Whether something listens there. */
const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 })
    const end = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.once('connect', () => end(true))
    for (const event of ['error', 'timeout']) socket.once(event, () => end(false))
  })

/** Whether this machine has IPv6: the test listens on addresses of both families. */
const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

/** The API in a process that ends by itself. */
async function run(
  service: TestService,
  env: Record<string, string>,
): Promise<{ status: number | null; stderr: string }> {
  const child = forkApi(service, env, true)
  let stderr = ''
  child.stderr!.on('data', (chunk) => {
    stderr += chunk
  })
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stderr }
}

async function writtenCalls({ app }: TestService, orgId: string): Promise<number> {
  const [row] = await app.sql<{ used: number }[]>`
    select used from usage_counters where org_id = ${decodeId('org', orgId)!} and metric = 'api_calls'`
  return row?.used ?? 0
}

test('SIGTERM loses no counted call and exits with 0, even if a client never finishes its request', async ({
  service,
}) => {
  const { id, key } = await makeOrganization(service)
  const child = await openChild(service)
  for (let calls = 0; calls < 10; calls++) assert.equal((await child.call('GET', '/v1/agents', { key })).status, 200)
  const socket = await beginRequest(child.port, key)
  let isOpen = true
  const cut = once(socket, 'close').then(() => {
    isOpen = false
  })
  const { body } = await child.call('GET', '/v1/usage', { key })
  assert.equal(body.api_calls.used, 12)

  const exited = child.close()
  while (isOpen && (await writtenCalls(service, id)) < 12) await pause(20)
  assert.ok(isOpen, 'what was counted is written while requests are still being answered')
  await cut
  assert.equal(await exited, 0)
  assert.equal(await writtenCalls(service, id), 12)
})

test('the API listens where HOST says, its metrics where METRICS_HOST says', { skip: !hasIPv6 }, async ({
  service,
}) => {
  const hosts = ['127.0.0.1', '127.0.0.2', '::1']
  const cases: { env: Record<string, string>; api: string[]; metrics: string[] }[] = [
    { env: { HOST: '127.0.0.1', METRICS_HOST: '::1' }, api: ['127.0.0.1'], metrics: ['::1'] },
    { env: { HOST: '::1' }, api: ['::1'], metrics: ['::1'] },
    { env: { METRICS_HOST: '127.0.0.2' }, api: hosts, metrics: ['127.0.0.2'] },
  ]
  for (const { env, api, metrics } of cases) {
    const child = await openChild(service, env)
    const open = async (port: number) => {
      const found = await Promise.all(hosts.map((host) => isOpen(host, port)))
      return hosts.filter((_, nth) => found[nth])
    }
    assert.deepEqual([await open(child.port), await open(child.metricsPort)], [api, metrics], JSON.stringify(env))
    assert.equal(await child.close(), 0)
  }
})

test('a HOST of another machine is one line that names the variable', async ({ service }) => {
  const { status, stderr } = await run(service, { HOST: '192.0.2.1', METRICS_HOST: '127.0.0.1' })
  assert.deepEqual([status, stderr], [1, 'agent-calendar: HOST: 192.0.2.1 is not an address of this machine.\n'])
})
