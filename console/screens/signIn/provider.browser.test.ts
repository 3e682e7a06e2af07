// A person signs in through a provider of identities, from the button to the open console, and is told why where it fails.
import assert from 'node:assert/strict'
import { freshEmail } from '../../../src/testing/accounts.ts'
import { openBrowser, withoutBrowser } from '../../../src/testing/browser.ts'
import { identityTest } from '../../../src/testing/identityProvider.ts'
import { perFile } from '../../../src/testing/test.ts'
import { assertAccessible, picture, visitor } from '../../testing/consoleBrowser.ts'

const test = identityTest()
  .extend('browser', perFile, ({ options: _ }) => openBrowser())
  .extend('visit', perFile, visitor)
const browserTest = test.skipIf(Boolean(withoutBrowser))

const person = (more: object = {}) => ({
  ...{ sub: `button ${freshEmail()}`, email: freshEmail('button'), email_verified: true, ...more },
})

browserTest(
  'a button leads through the provider to the screen that a person wanted',
  async ({ service, provider, enter, visit }) => {
    const known = person()
    assert.equal((await enter(known)).status, 200)
    const options = { provider: provider.issuer }
    await visit(
      '/agents?type=human',
      undefined,
      async (tab) => {
        await tab.getByRole('link', { name: 'Continue with Acme' }).click()
        await tab.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
        assert.equal(tab.url(), `${service.baseUrl}/console/agents?type=human`)
        await tab.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor()
        await tab.getByRole('button', { name: 'Account' }).click()
        await tab.getByRole('menuitem', { name: 'Sign out' }).click()
        await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
        const names = (await tab.context().cookies()).map(({ name }) => name)
        assert.deepEqual(names, [])
      },
      options,
    )
  },
)

browserTest(
  'a sign-in that fails at the provider says why, and another try works',
  async ({ service, provider, enter, visit }) => {
    const known = person()
    assert.equal((await enter(known)).status, 200)
    const options = { provider: provider.issuer }
    await visit(
      '/sign-in?next=/console/settings',
      undefined,
      async (tab) => {
        const go = () => tab.getByRole('link', { name: 'Continue with Acme' }).click()
        const said = (text: RegExp) => tab.getByRole('alert').filter({ hasText: text }).waitFor()
        // The provider is sent another state than the one that the browser keeps, and gives it back.
        await tab.route(
          '**/v1/auth/oauth/acme?*',
          async (route) => {
            const response = await route.fetch({ maxRedirects: 0 })
            const headers = response.headers()
            const location = headers.location!.replace(/([?&]state=)[^&]+/, '$1wrong')
            await route.fulfill({ status: 302, headers: { ...headers, location } })
          },
          { times: 1 },
        )
        await go()
        await said(/^That sign-in did not work: it was started in another browser or window, or too long ago/)
        await assertAccessible(tab)
        await picture(tab, 'sign-in-failed')
        provider.claims = person({ email_verified: false })
        await go()
        await said(/the provider does not say that the address is yours/)
        provider.claims = person()
        await go()
        await said(/no account belongs to this address yet/)
        provider.claims = known
        await tab.goto(`${service.baseUrl}/console/sign-in?next=/console/settings`)
        await go()
        await tab.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      },
      options,
    )
  },
)
