import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest().extend(
  'get',
  { scope: 'file' },
  ({ service }) =>
    async (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
      const { statusCode, headers: sent, body } = await request(`${service.baseUrl}${path}`, { method, headers })
      return { status: statusCode, headers: sent, bytes: Buffer.from(await body.arrayBuffer()) }
    },
)

test('every address of the console is its one page', async ({ get }) => {
  const page = await get('/console/agents?type=ai')
  assert.equal(page.status, 200)
  assert.match(page.bytes.toString(), /^<!doctype html>/)
  const {
    date: _,
    connection: _c,
    'keep-alive': _k,
    'content-length': _l,
    'x-request-id': id,
    ...headers
  } = page.headers
  assert.match(String(id), /^req_/)
  assert.deepEqual(headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  for (const path of ['/console', '/console/', '/console/calendars/cal_unknown']) {
    assert.deepEqual((await get(path)).bytes, page.bytes, path)
  }
  const head = await get('/console', {}, 'HEAD')
  assert.equal(head.headers['content-length'], String(page.bytes.length))
  const posted = await get('/console/agents', {}, 'POST')
  assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET'])
  assert.equal((await get('/consoles')).status, 404)
})

test('an asset is compressed as asked, and kept for ever', async ({ get }) => {
  const page = (await get('/console')).bytes.toString()
  const path = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)![1]!
  assert.match(path, /^\/console\/assets\/[\w.-]+-[\w-]{8,}\.js$/)
  const plain = await get(path)
  assert.deepEqual(
    [plain.headers['cache-control'], plain.headers['content-type'], plain.headers['content-encoding']],
    ['public, max-age=31536000, immutable', 'text/javascript; charset=utf-8', undefined],
  )
  assert.equal(plain.headers.vary, 'Accept-Encoding')
  const zipped = await get(path, { 'accept-encoding': 'gzip' })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes)
  const small = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
  assert.equal(small.headers['content-encoding'], 'br')
  assert.ok(small.bytes.length < zipped.bytes.length)
  assert.equal(plain.bytes.includes('sourceMappingURL'), false)

  for (const unknown of ['', 'x.js', 'x.js.br', '..%2findex.html', '.version']) {
    assert.equal((await get(`/console/assets/${unknown}`)).status, 404, unknown)
  }
  assert.equal((await get(`${path}.br`)).status, 404)
  assert.equal((await get(path, {}, 'POST')).status, 405)
})
