// How the document and its page are served.
import assert from 'node:assert/strict'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()

test('/docs is a page that fetches everything from the service itself', async ({ call }) => {
  const page = await call('GET', '/docs')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /https?:|\*/)
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
  assert.ok(addresses.length >= 5)
  for (const address of addresses) assert.match(address, /^\/[^/]/)
  assert.doesNotMatch(page.body, /https?:\/\/|url\(|@import|<script>/)
  for (const address of addresses) {
    const asset = await call('GET', address)
    assert.equal(asset.status, 200, address)
  }
  const script = await call('GET', '/docs/page.js')
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  assert.match(script.body, /url: '\/openapi\.json'/)
  assert.match(script.body, /validatorUrl: null/)
  assert.doesNotMatch(script.body, /https?:\/\//)
  const style = await call('GET', '/docs/assets/swagger-ui.css')
  assert.match(style.headers.get('content-type') ?? '', /^text\/css/)
  assert.doesNotMatch(style.body, /url\(\s*["']?https?:|@import/)
})

test('assets come from their folder alone', async ({ call }) => {
  for (const path of [
    '/docs/assets/nothing.js',
    '/docs/assets/..%2fpackage.json',
    '/docs/assets/..%2f..%2f..%2fpackage.json',
    '/docs/assets/%2e%2e/%2e%2e/express/package.json',
    '/docs/assets/%E0%A4%A',
    '/docs/assets/',
    '/docs/nothing',
  ]) {
    assertRefused(await call('GET', path), 404, 'not_found')
  }
})

test('the documents are read only: another method is 405 with what is allowed', async ({ call }) => {
  for (const path of ['/openapi.json', '/docs', '/docs/page.js', '/healthz', '/readyz']) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await call(method, path)
      assertRefused(answer, 405, 'bad_request')
      assert.equal(answer.headers.get('allow'), 'GET')
    }
  }
})
