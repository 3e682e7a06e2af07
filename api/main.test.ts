import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId } from '../src/ids.ts'
import { makeOrganization } from '../src/testing/factories.ts'
import { openTestService, type TestService } from '../src/testing/harness.ts'
import { openChild } from '../src/testing/process.ts'

let service: TestService

before(async () => {
  service = await openTestService()
})
after(() => service.close())

/** A request of which half the body is sent. Resolves once the API reads it: it then asks for the rest. */
async function beginRequest(port: number, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const head = ['POST /v1/agents HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`, 'Content-Length: 100']
  socket.write(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n{"name":`)
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 100 /)
  return socket
}

async function writtenCalls(orgId: string): Promise<number> {
  const [row] = await service.app.sql<{ used: number }[]>`
    select used from usage_counters where org_id = ${decodeId('org', orgId)!} and metric = 'api_calls'`
  return row?.used ?? 0
}

test('SIGTERM loses no counted call, and ends the process well, although a client never finishes its request', async () => {
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
  while (isOpen && (await writtenCalls(id)) < 12) await pause(20)
  assert.ok(isOpen, 'what was counted is written while requests are still being answered')
  await cut
  assert.equal(await exited, 0)
  assert.equal(await writtenCalls(id), 12)
})
