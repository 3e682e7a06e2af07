// The reference in a real browser.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openBrowser, withoutBrowser } from '../src/testing/browser.ts'
import { adminToken } from '../src/testing/harness.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'

const dialog = '.dialog-ux'

const test = serviceTest()
  .extend('browser', perFile, async ({ service: _ }, { onCleanup }) => {
    const browser = await openBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  // The page with the dialog open, and what the browser complained of.
  .extend('openDialog', perFile, ({ service, browser }) => async () => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 500 } })
    // It shows every operation: on a busy machine that takes long.
    page.setDefaultTimeout(90_000)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(`${service.baseUrl}/docs`)
    await page.click('.btn.authorize')
    await page.waitForSelector(`${dialog} input:focus`)
    return { page, complaints }
  })
const browserTest = test.skipIf(Boolean(withoutBrowser))

/** What the request of the operation carries, and its status. */
async function execute(page: Page, operation: string) {
  await page.click(`#operations-${operation} .opblock-summary-control`)
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes('/v1/')),
    page.click(`#operations-${operation} .execute`),
  ])
  return { status: response.status(), authorization: (await response.request().allHeaders()).authorization }
}

async function authorize(page: Page, nth: number, value: string) {
  const box = page.locator(`${dialog} .auth-container`).nth(nth)
  await box.locator('input').fill(value)
  await box.locator('.btn.authorize').click()
  await page.click(`${dialog} .auth-container .btn-done >> nth=0`)
}

browserTest('Authorize opens at the top with the cursor in the box of the key', async ({ openDialog }) => {
  const { page, complaints } = await openDialog()
  const titles = await page.locator(`${dialog} .auth-container h4`).allTextContents()
  assert.deepEqual(
    titles.map((title) => title.replace(/[\s\u00a0]+\(.*/, '')),
    ['API key', 'Console session or administrator'],
  )
  await page.locator(`${dialog} .auth-container >> nth=0`).locator('input:focus').waitFor()
  assert.equal(await page.evaluate(`document.querySelector('${dialog} .modal-ux-content').scrollTop`), 0)
  assert.deepEqual(complaints, [])
  await page.close()
})

browserTest('a key works wherever a key is taken, and logging out forgets it', async ({ key, openDialog }) => {
  const { page } = await openDialog()
  await authorize(page, 0, key)
  assert.deepEqual(await execute(page, 'Agents-listAgents'), { status: 200, authorization: `Bearer ${key}` })
  await page.click('.auth-wrapper > .btn.authorize')
  await page.click(`${dialog} .auth-container .btn >> text=Logout`)
  assert.equal(await page.evaluate("localStorage.getItem('authorized')"), '{}')
  await page.close()
})

browserTest("the administrator's token has a box, too", async ({ openDialog }) => {
  const { page } = await openDialog()
  await authorize(page, 1, adminToken)
  const answer = await execute(page, 'Administration-listOrganizations')
  assert.deepEqual(answer, { status: 200, authorization: `Bearer ${adminToken}` })
  await page.close()
})

browserTest('a box for an identifier starts empty, without one that does not exist', async ({ service, browser }) => {
  const page = await browser.newPage()
  await page.goto(`${service.baseUrl}/docs#/Agents/getAgent`)
  const box = page.locator('#operations-Agents-getAgent .parameters input[placeholder=id]')
  await box.waitFor()
  assert.equal(await box.inputValue(), '')
  await page.close()
})
