// A person who signs in through a provider, at the end of their session.
import assert from 'node:assert/strict'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { identityTest } from '../../src/testing/identityProvider.ts'
import { perFile } from '../../src/testing/test.ts'
import { assertAccessible, visitor } from '../testing/consoleBrowser.ts'

const test = identityTest()
  .extend('browser', perFile, ({ options: _ }) => openBrowser())
  .extend('visit', perFile, visitor)
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest('a person without a password signs in again where they do', async ({ visit, enter, call }) => {
  const entered = await enter({ sub: 'grace', email: 'grace@example.com', email_verified: true })
  const cookie = /svc_session=[^;]+/.exec(entered.headers.get('set-cookie') ?? '')![0]
  await visit('/agents', { cookie }, async (tab) => {
    await tab.getByRole('button', { name: 'New agent' }).first().click()
    const dialog = tab.getByRole('dialog', { name: 'New agent' })
    await dialog.getByLabel('Name').fill('Survivor')
    await call('POST', '/v1/auth/signout', { key: cookie.split('=')[1]! })
    await dialog.getByRole('button', { name: 'Create agent' }).click()
    const again = tab.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByText('grace@example.com').waitFor()
    const way = again.getByRole('link', { name: 'Continue with Acme' })
    const query = new URL((await way.getAttribute('href'))!, 'http://localhost').searchParams
    assert.equal(query.get('return_to'), '/console/agents')
    await assertAccessible(tab)
  })
})
