// The site in a real browser.
import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()
  .extend('browser', perFile, async ({ service: _ }, { onCleanup }) => {
    const browser = await openBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  // A page of the site, and what the browser complained of or asked another host for.
  .extend('visit', perFile, ({ service, browser }) => async (path: string, options: object = {}) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
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
  })
const browserTest = test.skipIf(Boolean(withoutBrowser))

/** With `only`, of these rules of Axe alone. */
async function violations(page: Page, only?: string[]): Promise<string[]> {
  // Playwright evaluates it past the policy of the page.
  await page.evaluate(axe.source)
  const found = (await page.evaluate(`axe.run(${JSON.stringify(only ? { runOnly: only } : {})})`)) as axe.AxeResults
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

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
  await page.close()
})

browserTest('the first page sends a request with a key', async ({ visit, key }) => {
  const { page, complaints } = await visit('/docs')
  await page.fill('#try input', key)
  await page.click('#try button')
  await page.locator('#try pre', { hasText: '"total"' }).waitFor()
  assert.match((await page.locator('#try pre').textContent())!, /^GET \/v1\/agents\n200 OK\n/)
  assert.deepEqual(complaints, [])
  await page.close()
})

browserTest('a block of code is copied with its button', async ({ visit }) => {
  const { page, complaints } = await visit('/docs/quickstart')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('.code').first().hover()
  await page.locator('.code button').first().click()
  await page.locator('.code button', { hasText: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'OUTBOUND_TRUSTED_HOSTS=127.0.0.1 npm start')
  assert.deepEqual(complaints, [])
  await page.close()
})

browserTest('pages have no barriers, and fit a phone', async ({ visit }) => {
  for (const path of ['/docs', '/docs/quickstart', '/docs/api', '/docs/reference/environment']) {
    const { page, complaints } = await visit(path, { viewport: { width: 360, height: 740 }, colorScheme: 'light' })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
    assert.equal(await page.evaluate('document.getElementById("menu").open'), false)
    assert.deepEqual(await violations(page), [], path)
    await page.setViewportSize({ width: 1280, height: 900 })
    assert.deepEqual(await violations(page, ['color-contrast', 'target-size']), [], path)
    // Nothing but its colours differs in the dark.
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page, ['color-contrast']), [], `${path}, dark`)
    assert.deepEqual(complaints, [])
    await page.close()
  }
})

browserTest('a choice of light or dark stays', async ({ visit }) => {
  const { page } = await visit('/docs')
  await page.click('#theme-button')
  await page.click('.menu a >> text=Quickstart')
  await page.waitForURL(/quickstart/)
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  await page.close()
})

browserTest(
  'the reference shows what is asked for, and sends it with a key',
  async ({ visit, key }) => {
    const { page, complaints } = await visit('/docs/reference#tag/agents/GET/v1/agents')
    const operation = page.locator('section[id$="tag/agents/GET/v1/agents"]')
    await operation.locator('h3', { hasText: 'List agents' }).waitFor()
    await operation.locator('text=curl').first().waitFor()
    await operation.locator('button', { hasText: 'Test Request' }).click()
    await page.locator('input[placeholder=Token]').last().fill(key)
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/v1/agents')),
      page.locator('button.scalar-button', { hasText: 'Send' }).first().click(),
    ])
    assert.equal(response.status(), 200)
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    assert.deepEqual(complaints, [])
    await page.close()
  },
  240_000,
)

browserTest(
  'the reference lists its operations at once, and makes way for the operation of its address',
  async ({ visit, service }) => {
    const { page, complaints } = await visit('/docs')
    const { promise: seen, resolve: continueWork } = Promise.withResolvers<void>()
    await page.route('**/docs/reference.json', async (route) => {
      await seen
      await route.continue()
    })
    await page.goto(`${service.baseUrl}/docs/reference#tag/agents/GET/v1/agents/{id}`, { waitUntil: 'commit' })
    await page.locator('#waiting li', { hasText: 'GET /v1/agents/{id}' }).first().waitFor()
    continueWork()
    await page.locator('section[id$="GET/v1/agents/{id}"] h3', { hasText: 'Read an agent' }).waitFor()
    await page.locator('#waiting').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await page.close()
  },
  240_000,
)

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
]
for (const look of looks) {
  browserTest(
    `the reference has no barriers: ${look.colorScheme}`,
    async ({ visit }) => {
      const { page } = await visit('/docs/reference', look)
      await page.locator('section[id$="tag/agents"]').first().waitFor({ state: 'attached' })
      await page.locator('a[href*="/v1/agents"]').first().waitFor({ state: 'attached' })
      assert.deepEqual(await violations(page), [])
      await page.close()
    },
    240_000,
  )
}
