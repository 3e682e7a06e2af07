import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { test } from 'vitest'
import { messagesOf } from './messages.ts'

test('requests and responses have the prototypes of Express before it gets them', async () => {
  const handler = express()
  handler.get('/here', (req, res) => res.json({ path: req.path, type: req.get('accept') }))
  const before: boolean[] = []
  const server = createServer(messagesOf(handler), (req, res) => {
    before.push(Object.getPrototypeOf(req) === handler.request, Object.getPrototypeOf(res) === handler.response)
    handler(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/here?a=1`, { headers: { accept: 'text/plain' } })
  assert.deepEqual(await answer.json(), { path: '/here', type: 'text/plain' })
  assert.deepEqual(before, [true, true])
  await new Promise((resolve) => server.close(resolve))
})

test('a plain function gets what Node makes', () => {
  assert.deepEqual(
    messagesOf((_req, res) => res.end()),
    {},
  )
})
