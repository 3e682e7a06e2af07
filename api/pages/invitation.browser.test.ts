// The page of an invitation in a real browser, as people see it.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { guestEnv, newAddress } from '../../src/testing/guests.ts'
import { makeInvitation, makeTeam } from '../../src/testing/invitations.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type AxeResults = { violations: { id: string; nodes: { html: string }[] }[] }

/** Where pictures of the pages are put, to look at them. */
const pictures = process.env.PICTURES

const acme = { issuer: 'http://127.0.0.1:9', client_id: 'calendar', client_secret: 'secret-of-the-tests' }

const test = serviceTest({ env: { ...guestEnv, OIDC_PROVIDERS: JSON.stringify({ acme }) } })
  .extend('team', perFile, ({ service }) => makeTeam(service, { plan: 'custom' }))
  .extend('browser', perFile, async ({ service: _ }, { onCleanup }) => {
    const browser = await openBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  .extend('open', ({ browser }, { onCleanup }) => async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      ...{ locale: 'en-GB', javaScriptEnabled: false },
      ...options,
      extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
    })
    onCleanup(() => context.close())
    const tab = await context.newPage()
    tab.setDefaultTimeout(45_000)
    return tab
  })
const browserTest = test.skipIf(Boolean(withoutBrowser))

const heading = (tab: Page, name: string) => tab.getByRole('heading', { level: 1, name }).waitFor()

browserTest('a new person signs up with the keyboard alone, without a script', async ({ service, team, open }) => {
  const { token } = await makeInvitation(service, team)
  const tab = await open()
  await tab.goto(`${service.baseUrl}/invitations/${token}`)
  await heading(tab, 'Join Example Robotics')
  await tab.getByLabel('New password').focus()
  await tab.keyboard.type(password)
  await tab.keyboard.press('Enter')
  await heading(tab, 'You have joined')
  // Back in the history is a link that has been used.
  await tab.goto(`${service.baseUrl}/invitations/${token}`)
  await heading(tab, 'This invitation does not work')
})

browserTest('a known person signs in, and accepts', async ({ service, team, open }) => {
  const { email } = await makeAccount(service)
  const { token } = await makeInvitation(service, team, email)
  const tab = await open()
  await tab.goto(`${service.baseUrl}/invitations/${token}`)
  await tab.getByLabel('Password', { exact: true }).fill(password)
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.getByRole('button', { name: 'Accept the invitation' }).click()
  await heading(tab, 'You have joined')
})

const looks: [name: string, options: BrowserContextOptions][] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 360].map((width): [string, BrowserContextOptions] => [
    `${width} ${colorScheme}`,
    { colorScheme, viewport: { width, height: 800 } },
  ]),
)

for (const [name, options] of looks) {
  browserTest(`every page can be read: ${name}`, async ({ service, team, open }) => {
    const account = await makeAccount(service, { email: `donaudampfschifffahrt.${name.replace(' ', '-')}@example.com` })
    const { token } = await makeInvitation(service, team, account.email, 'admin')
    // Axe is a script; the pages have none.
    const tab = await open({ ...options, javaScriptEnabled: true, bypassCSP: true })
    const look = async (page: string) => {
      const { violations } = (await tab.evaluate(`${axe}; axe.run()`)) as AxeResults
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      assert.deepEqual(found, [], page)
      assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${page} is too wide`)
      if (!pictures) return
      mkdirSync(pictures, { recursive: true })
      await tab.screenshot({ path: join(pictures, `invitation ${page} ${name}.png`), fullPage: true })
    }
    const at = `${service.baseUrl}/invitations/${token}`
    await tab.goto(at)
    await look('1 ways')
    await tab.getByLabel('Password', { exact: true }).fill('something else')
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.getByRole('alert').waitFor()
    await look('2 wrong password')
    await tab.getByLabel('Password', { exact: true }).fill(password)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.getByRole('button', { name: 'Accept the invitation' }).waitFor()
    await look('3 accept')
    await tab.getByRole('button', { name: 'Accept the invitation' }).click()
    await heading(tab, 'You have joined')
    await look('4 joined')
    await tab.goto(at)
    await heading(tab, 'This invitation does not work')
    await look('5 dead')
    const other = await makeInvitation(service, team)
    await tab.goto(`${service.baseUrl}/invitations/${other.token}`)
    await heading(tab, 'This invitation is for another address')
    await look('6 another account')
  })
}
