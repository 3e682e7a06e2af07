// The site in a real browser.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ofColours, violations } from '../../src/testing/axe.ts'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()
  .extend('browser', perFile, ({ options: _ }) => openBrowser())
  // A page of the site, and what the browser complained of or asked another host for.
  .extend('visit', ({ service, browser }, { onCleanup }) => {
    const opened: Page[] = []
    onCleanup(async () => void (await Promise.all(opened.map((page) => page.close()))))
    return async (path: string, options: object = {}) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
      opened.push(page)
      page.setDefaultTimeout(90_000)
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('request', (request) => {
        if (!request.url().startsWith(service.baseUrl) && !request.url().startsWith('data:'))
          complaints.push(request.url())
      })
      await page.goto(service.baseUrl + path)
      return { page, complaints }
    }
  })
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest('search finds a page and an operation with the keyboard alone', async ({ visit }) => {
  const { page, complaints } = await visit('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('webhook secret rotate')
  await page.locator('#search li a >> nth=0').waitFor()
  await page.locator('#search li', { hasText: 'API reference' }).first().waitFor()
  await page.locator('#search input').fill('encryption keys')
  await page.locator('#search li', { hasText: 'ENCRYPTION_KEYS' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/.+/)
  assert.deepEqual(complaints, [])
})

browserTest('the first page sends a request with a key', async ({ visit, key }) => {
  const { page, complaints } = await visit('/docs')
  await page.fill('#try input', key)
  await page.click('#try button')
  await page.locator('#try pre', { hasText: '"total"' }).waitFor()
  assert.match((await page.locator('#try pre').textContent())!, /^GET \/v1\/agents\n200 OK\n/)
  assert.deepEqual(complaints, [])
})

browserTest('a block of code is copied with its button', async ({ visit }) => {
  const { page, complaints } = await visit('/docs/quickstart')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('.code').first().hover()
  await page.locator('.code button').first().click()
  await page.locator('.code button', { hasText: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'OUTBOUND_TRUSTED_HOSTS=127.0.0.1 npm start')
  assert.deepEqual(complaints, [])
})

browserTest('pages have no barriers, and fit a phone', async ({ visit }) => {
  for (const path of ['/docs', '/docs/quickstart', '/docs/api', '/docs/reference/environment']) {
    const { page, complaints } = await visit(path, { viewport: { width: 360, height: 740 }, colorScheme: 'light' })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
    assert.equal(await page.evaluate('document.getElementById("menu").open'), false)
    assert.deepEqual(await violations(page), [], path)
    await page.setViewportSize({ width: 1280, height: 900 })
    assert.deepEqual(await violations(page, { runOnly: ['color-contrast', 'target-size'] }), [], path)
    // Nothing but its colours differs in the dark.
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page, ofColours), [], `${path}, dark`)
    assert.deepEqual(complaints, [])
  }
})

browserTest('a choice of light or dark stays', async ({ visit }) => {
  const { page } = await visit('/docs')
  await page.click('#theme-button')
  await page.click('.menu a >> text=Quickstart')
  await page.waitForURL(/quickstart/)
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
})

browserTest(
  'the reference lists its operations at once, makes way for the operation of its address, and sends one with a key',
  async ({ visit, service, key }) => {
    const { page, complaints } = await visit('/docs')
    const { promise: seen, resolve: continueWork } = Promise.withResolvers<void>()
    await page.route('**/docs/reference.json', async (route) => {
      await seen
      await route.continue()
    })
    const operationAt = async (name: string, title: string, waitUntil?: 'commit') => {
      await page.goto(`${service.baseUrl}/docs/reference#tag/agents/${name}`, { waitUntil })
      const operation = page.locator(`section[id$="tag/agents/${name}"]`)
      return { operation, shown: operation.locator('h3', { hasText: title }) }
    }
    const { shown } = await operationAt('GET/v1/agents/{id}', 'Read an agent', 'commit')
    await page.locator('#waiting li', { hasText: 'GET /v1/agents/{id}' }).first().waitFor()
    continueWork()
    await shown.waitFor()
    await page.locator('#waiting').waitFor({ state: 'detached' })

    const list = await operationAt('GET/v1/agents', 'List agents')
    await list.shown.waitFor()
    await list.operation.locator('text=curl').first().waitFor()
    await list.operation.locator('button', { hasText: 'Test Request' }).click()
    await page.locator('input[placeholder=Token]').last().fill(key)
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/v1/agents')),
      page.locator('button.scalar-button', { hasText: 'Send' }).first().click(),
    ])
    assert.equal(response.status(), 200)
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    assert.deepEqual(complaints, [])
  },
  240_000,
)

browserTest(
  'the reference has no barriers, in light and in the dark on a phone',
  async ({ visit }) => {
    const { page } = await visit('/docs/reference', { colorScheme: 'light' })
    await page.locator('section[id$="tag/agents"]').first().waitFor({ state: 'attached' })
    await page.locator('a[href*="/v1/agents"]').first().waitFor({ state: 'attached' })
    assert.deepEqual(await violations(page), [])
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page), [])
  },
  240_000,
)
