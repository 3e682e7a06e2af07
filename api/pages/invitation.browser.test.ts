// The page of an invitation in a real browser, as people see it.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { assertReadable } from '../../src/testing/axe.ts'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { guestEnv, newAddress } from '../../src/testing/guests.ts'
import { makeInvitation, makeTeam } from '../../src/testing/invitations.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const acme = { issuer: 'http://127.0.0.1:9', client_id: 'calendar', client_secret: 'secret-of-the-tests' }

const test = serviceTest({ env: { ...guestEnv, OIDC_PROVIDERS: JSON.stringify({ acme }) } })
  .extend('team', perFile, ({ service }) => makeTeam(service, { plan: 'custom' }))
  .extend('browser', perFile, ({ options: _ }) => openBrowser())
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

const looks = [1280, 360].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

browserTest(
  'every page can be read, on a large screen and on a phone, in light and dark',
  async ({ service, team, open }) => {
    const account = await makeAccount(service, { email: 'donaudampfschifffahrt@example.com' })
    const { token } = await makeInvitation(service, team, account.email, 'admin')
    // Axe is a script; the pages have none.
    const tab = await open({ javaScriptEnabled: true, bypassCSP: true })
    const look = (page: string) => assertReadable(tab, `invitation ${page}`, looks)
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
  },
)
