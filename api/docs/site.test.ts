// The site: pages, their links, and their caching.
import assert from 'node:assert/strict'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { pathOf } from './contents.ts'
import type { ApiDocument } from './operations.ts'
import { openSite } from './site.ts'

type Page = { path: string; html: string }

const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value!.replaceAll('&amp;', '&'))

const test = serviceTest()
  // Every page that can be reached by links from the first one.
  .extend('pages', perFile, async ({ call }): Promise<readonly Page[]> => {
    const pages = new Map<string, Page>()
    const open = ['/docs']
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (pages.has(path)) continue
      const page = await call('GET', path)
      assert.equal(page.status, 200, path)
      const isPage = page.headers.get('content-type')!.startsWith('text/html')
      pages.set(path, { path, html: isPage ? page.body : '' })
      if (!isPage) continue
      const links = attributes(page.body, 'href').filter((href) => /^\/docs(?!\/assets)/.test(href))
      open.push(...links.map((href) => href.replace(/#.*/, '')))
    }
    return [...pages.values()]
  })

test('/docs is a page that loads everything from the service itself', async ({ call, pages }) => {
  for (const { path, html } of pages) {
    for (const address of [...attributes(html, 'src'), ...attributes(html, 'href')]) {
      assert.match(address, /^(\/(?!\/)|#|https?:|mailto:)/, `${path}: ${address}`)
    }
    for (const address of attributes(html, 'src')) assert.match(address, /^\/docs\//, path)
    assert.doesNotMatch(html, /<script>|<style|\sstyle="|\son\w+="/, path)
  }
  const assets = new Set(pages.flatMap(({ html }) => [...attributes(html, 'src'), ...attributes(html, 'href')]))
  for (const asset of [...assets].filter((one) => one.startsWith('/docs/assets/'))) {
    const { status, headers, body } = await call('GET', asset)
    assert.equal(status, 200, asset)
    const type = headers.get('content-type') ?? ''
    assert.match(type, /\.js\b/.test(asset) ? /javascript/ : /\.css\b/.test(asset) ? /^text\/css/ : /^image/)
    if (/\.css\b/.test(asset)) assert.doesNotMatch(body, /url\(|@import/)
  }
})

test('no page shows what is for those who edit its file, and names break between their words', ({ pages }) => {
  for (const { path, html } of pages) assert.doesNotMatch(html, /&lt;!--/, path)
  const runbook = pages.find(({ path }) => path === '/docs/runbook')!
  assert.match(runbook.html, /<code>calendar_<wbr>timer_<wbr>lag_<wbr>seconds<\/code>/)
  assert.match(runbook.html, /<code>\/metrics<\/code>/)
})

test('no page lets a script or a style in that is not of the service', async ({ call }) => {
  for (const path of ['/docs', '/docs/quickstart', '/docs/reference']) {
    const { headers } = await call('GET', path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self';/)
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
    assert.equal(policy.includes("style-src 'self' 'unsafe-inline'"), path === '/docs/reference')
  }
})

test('every link leads to a page, and every anchor to a heading', async ({ pages }) => {
  const found = new Map(pages.map((page) => [page.path, page]))
  const dead = pages.flatMap(({ path, html }) =>
    attributes(html, 'href').flatMap((href) => {
      const [target = '', anchor] = href.split('#')
      if (!(href.startsWith('#') || target.startsWith('/docs')) || target.startsWith('/docs/assets/')) return []
      if (anchor?.startsWith('tag/')) return []
      const page = found.get(target || path)
      const isThere = page && (!anchor || attributes(page.html, 'id').includes(anchor))
      return isThere ? [] : [`${path}: ${href}`]
    }),
  )
  assert.deepEqual(dead, [])
  assert.ok(pages.length > 60)
})

test('the first page lists all operations, and what search finds is there', async ({ call, pages }) => {
  const home = pages.find(({ path }) => path === '/docs')!
  const document = (await call('GET', '/openapi.json')).body
  const operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()}${path}`),
  )
  const listed = attributes(home.html, 'href').flatMap((href) => /#tag\/[^/]+\/(.*)/.exec(href)?.[1] ?? [])
  assert.deepEqual(new Set(listed), new Set(operations))
  const sections: { href: string; title: string }[] = (await call('GET', '/docs/search.json')).body
  const found = new Map(pages.map((page) => [page.path, page]))
  const dead = sections.filter(({ href }) => {
    const [path = '', anchor] = href.split('#')
    const page = found.get(path)
    return !page || (anchor && !anchor.startsWith('tag/') && !attributes(page.html, 'id').includes(anchor))
  })
  assert.deepEqual(dead, [])
  assert.ok(sections.length > operations.length + 100)
})

test('a page is revalidated, and comes compressed to whoever asks', async ({ service }) => {
  const get = (headers: Record<string, string>) => fetch(`${service.baseUrl}/docs/operating`, { headers })
  const plain = await get({ 'accept-encoding': 'identity' })
  const zipped = await get({ 'accept-encoding': 'gzip' })
  assert.deepEqual(
    [plain, zipped].map(({ headers }) => headers.get('content-encoding')),
    [null, 'gzip'],
  )
  assert.equal(await plain.text(), await zipped.text())
  const etag = plain.headers.get('etag')!
  const known = await get({ 'if-none-match': etag })
  assert.deepEqual([known.status, known.headers.get('etag'), await known.text()], [304, etag, ''])
  assert.equal((await get({ 'if-none-match': '"another"' })).status, 200)
})

test('an asset is kept for as long as its content is the same', async ({ service }) => {
  const page = await (await fetch(`${service.baseUrl}/docs/reference`)).text()
  const [address = '', version = ''] = /\/docs\/assets\/scalar\.js\?v=([\w-]+)/.exec(page) ?? []
  const cached = async (path: string) => (await fetch(service.baseUrl + path)).headers.get('cache-control')
  assert.equal(await cached(address), 'public, max-age=31536000, immutable')
  assert.equal(await cached(address.replace(version, 'another')), 'no-cache')
  assert.equal(await cached('/docs/assets/scalar.js'), 'no-cache')
  assert.equal(await cached('/docs/reference'), 'no-cache')
})

test('a site that cannot be made is not tried with each request', async () => {
  let tries = 0
  const failing = async () => {
    tries++
    throw new Error('no memory')
  }
  const site = openSite(() => ({ root: '', api: {} as ApiDocument }), failing)
  for (let nth = 0; nth < 3; nth++) await assert.rejects(site(), /no memory/)
  assert.equal(tries, 1)
})

test('files come from the site alone', async ({ call }) => {
  for (const path of [
    ...['/docs/assets/nothing.js', '/docs/assets/..%2fpage.ts', '/docs/assets/%2e%2e/page.ts', '/docs/assets/%E0%A4%A'],
    ...['/docs/assets/', '/docs/nothing', '/docs/files/package.json', '/docs/__proto__', '/docs/constructor'],
  ]) {
    assertRefused(await call('GET', path), 404, 'not_found')
  }
})

test('the documents are read only: another method is 405 with what is allowed', async ({ call }) => {
  for (const path of ['/openapi.json', '/openapi.yaml', '/docs', '/docs/quickstart', '/healthz', '/readyz']) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await call(method, path)
      assertRefused(answer, 405, 'bad_request')
      assert.equal(answer.headers.get('allow'), 'GET')
    }
  }
})

test('a document has the address that its place in the repository says', () => {
  assert.deepEqual(
    ['docs/README.md', 'docs/api.md', 'docs/decisions/clocks.md', 'README.md', 'SECURITY.md'].map(pathOf),
    ['/docs/contents', '/docs/api', '/docs/decisions/clocks', '/docs', '/docs/security'],
  )
})
