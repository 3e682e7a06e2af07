import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { test } from 'vitest'
import { addressOf, rememberTrust } from './identity.ts'

test('an address is asked about once; a text that is too long for one is not kept', () => {
  const asked: (string | undefined)[] = []
  const trust = rememberTrust((address) => {
    asked.push(address)
    return address === '10.0.0.1'
  })
  const long = 'x'.repeat(65)
  const addresses = ['10.0.0.1', '192.0.2.1', undefined, long]
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(
      addresses.map((address) => trust(address, round)),
      [true, false, false, false],
    )
  }
  assert.deepEqual(asked, [...addresses, long, long])
})

test('what it remembers is bounded, and stays right beyond that', () => {
  const trust = rememberTrust((address) => address!.endsWith('0'))
  for (let round = 0; round < 2; round++) {
    for (let nth = 0; nth < 25_000; nth++) assert.equal(trust(`10.0.0.${nth}`, 0), nth % 10 === 0)
  }
})

test('the client is found as without it: behind trusted proxies, and not behind others', async ({ onTestFinished }) => {
  const found: (string | undefined)[][] = []
  const server = express()
  server.set('trust proxy', ['loopback', '10.0.0.0/8', '2001:db8::/32'])
  const plain = server.get('trust proxy fn')
  const remembering = rememberTrust(plain)
  server.use((req, res) => {
    found.push(
      [plain, remembering, remembering].map((trust) => {
        server.set('trust proxy', trust)
        return req.ip
      }),
    )
    res.end()
  })
  const listener = createServer(server)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  const cases = {
    '192.0.2.1': '192.0.2.1',
    '192.0.2.1, 10.1.2.3': '192.0.2.1',
    '192.0.2.1, 198.51.100.7, 10.1.2.3': '198.51.100.7',
    '10.9.9.9, 10.1.2.3': '10.9.9.9',
    '192.0.2.1, ::ffff:10.1.2.3, 2001:db8::5': '192.0.2.1',
    '192.0.2.1, not an address': 'not an address',
    '': '127.0.0.1',
  }
  const { port } = listener.address() as AddressInfo
  for (const forwarded of Object.keys(cases)) {
    await fetch(`http://127.0.0.1:${port}/`, { headers: forwarded ? { 'x-forwarded-for': forwarded } : {} })
  }
  assert.deepEqual(
    found,
    Object.values(cases).map((client) => [client, client, client]),
  )
})

test('the address of a client is that of its socket, or the one that a trusted proxy names', async ({
  onTestFinished,
}) => {
  const ask = async (trusted: string | string[] | false, headers: Record<string, string>) => {
    const server = express()
    server.set('trust proxy', trusted)
    server.use((req, res) => void res.json(addressOf(req)))
    const listening = createServer(server).listen(0, '127.0.0.1')
    onTestFinished(() => void listening.close())
    await once(listening, 'listening')
    const { port } = listening.address() as AddressInfo
    return (await fetch(`http://127.0.0.1:${port}/`, { headers })).json()
  }
  assert.equal(await ask('loopback', {}), '127.0.0.1')
  assert.equal(await ask(false, { 'x-forwarded-for': '203.0.113.7' }), '127.0.0.1')
  const named = {
    '203.0.113.7': '203.0.113.7',
    '198.51.100.1, ::ffff:203.0.113.7': '203.0.113.7',
    '': '127.0.0.1',
    '203.0.113.7:50123': '203.0.113.7',
    '203.0.113.7:': '203.0.113.7',
    ', 203.0.113.7,, ': '203.0.113.7',
    '"203.0.113.7:50123"': '203.0.113.7',
    '[2001:db8::1]:443': '2001:db8::1',
    '[2001:db8::1]': '2001:db8::1',
    '"[2001:DB8::1]:_port"': '2001:DB8::1',
    '2001:db8::1': '2001:db8::1',
    '[::ffff:203.0.113.7]:80': '203.0.113.7',
    '203.0.113.7:1, 10.0.0.1:2,10.0.0.2': '203.0.113.7',
    '198.51.100.1, 203.0.113.7:1, [::1]:443': '203.0.113.7',
    // A proxy that does not tell its client stands for it.
    unknown: '127.0.0.1',
    '203.0.113.7, unknown': '127.0.0.1',
    'unknown, 10.0.0.1:4711': '10.0.0.1',
    _hidden: '127.0.0.1',
    '203.0.113.7.9': '127.0.0.1',
    'javascript:alert(1)': '127.0.0.1',
    ',': '127.0.0.1',
  }
  for (const [forwarded, address] of Object.entries(named)) {
    assert.equal(await ask(['loopback', '10.0.0.0/8'], { 'x-forwarded-for': forwarded }), address, forwarded)
  }
})
