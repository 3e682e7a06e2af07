// The first minutes of a person: Sign in, Sign up, Start, the frame, and the end of a session.
import assert from 'node:assert/strict'
import { makeAccount, password } from '../../../src/testing/accounts.ts'
import { withoutBrowser } from '../../../src/testing/browser.ts'
import { makeAgent } from '../../../src/testing/factories.ts'
import { codeOf, turnOnFactor } from '../../../src/testing/factors.ts'
import { assertAccessible, consoleTest, phone, picture } from '../../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest('a person signs in where they wanted to go, and not elsewhere', async ({ visit, person, service }) => {
  await visit('/agents?type=human', undefined, async (tab) => {
    await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    assert.equal(await tab.title(), 'Sign in · agent-calendar')
    await assertAccessible(tab)
    await picture(tab, 'sign-in')
    await tab.getByLabel('Email').fill(person.email)
    await tab.getByLabel('Password').fill('wrong')
    await tab.keyboard.press('Enter')
    await tab.getByRole('alert').getByRole('button', { name: 'Copy request ID' }).waitFor()
    assert.equal(await tab.getByLabel('Email').inputValue(), person.email)
    await tab.getByLabel('Password').fill(password)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    assert.equal(tab.url(), `${service.baseUrl}/console/agents?type=human`)
    assert.doesNotMatch(String(await tab.evaluate('JSON.stringify([localStorage, sessionStorage])')), /eyJ/)
  })
  await visit('/sign-in?next=//example.com/console/agents', undefined, async (tab) => {
    await tab.getByLabel('Email').fill(person.email)
    await tab.getByLabel('Password').fill(password)
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { level: 1, name: 'Start' }).waitFor()
  })
})

browserTest('a newcomer signs up, and finds what to do first', async ({ visit, service }) => {
  await visit('/sign-up', undefined, async (tab) => {
    await tab.getByRole('link', { name: 'Terms of service' }).waitFor()
    await assertAccessible(tab)
    await picture(tab, 'sign-up')
    await tab.getByLabel('Email').fill('newcomer@example.com')
    await tab.getByLabel('Password').fill('short')
    await tab.getByLabel('Organization name').fill('Difference Engines')
    await tab.getByLabel('I accept the terms of service').check()
    await tab.getByRole('button', { name: 'Sign up' }).click()
    const field = tab.getByLabel('Password')
    await tab.locator('[aria-invalid]').waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await tab.locator(':focus').getAttribute('data-param'), 'password')
    await tab.reload()
    await tab.getByRole('status').filter({ hasText: 'Draft restored' }).waitFor()
    assert.equal(await tab.getByLabel('Email').inputValue(), 'newcomer@example.com')
    assert.equal(await field.inputValue(), '')
    await field.fill(password)
    await tab.getByLabel('I accept the terms of service').check()
    await tab.getByRole('button', { name: 'Sign up' }).click()

    await tab.getByRole('heading', { level: 1, name: 'Start' }).waitFor()
    await tab.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor()
    const agentStep = tab
      .getByRole('list', { name: 'Checklist' })
      .getByRole('listitem')
      .filter({ hasText: 'Create an agent' })
    assert.match((await agentStep.textContent())!, /To do/)
    await assertAccessible(tab)
    await picture(tab, 'start')
    const token = (await tab.context().cookies()).find(({ name }) => name === 'svc_session')!.value
    await makeAgent(service, token)
    await agentStep.filter({ hasText: 'Done' }).waitFor()
  })
})

browserTest(
  'a session that ends asks for the password, and the end of one leaves nothing',
  async ({ visit, person, service }) => {
    await visit('/agents', person, async (tab) => {
      await tab.getByRole('button', { name: 'New agent' }).first().click()
      const dialog = tab.getByRole('dialog', { name: 'New agent' })
      await dialog.getByLabel('Name').fill('Survivor')
      await service.call('POST', '/v1/auth/signout', { key: person.token })
      await dialog.getByRole('button', { name: 'Create agent' }).click()
      const again = tab.getByRole('dialog', { name: 'Your session has ended' })
      await assertAccessible(tab)
      await again.getByLabel('Password').fill('a wrong one')
      await again.getByRole('button', { name: 'Sign in' }).click()
      await again.getByRole('alert').waitFor()
      await again.getByLabel('Password').fill(password)
      await again.getByRole('button', { name: 'Sign in' }).click()
      await tab.getByRole('link', { name: 'Survivor' }).waitFor()

      await tab.getByRole('link', { name: 'Settings' }).click()
      await tab.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await tab.getByRole('button', { name: 'Account' }).click()
      await tab.getByRole('menuitem', { name: 'Sign out' }).click()
      await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      await tab.goBack()
      await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      assert.equal(await tab.getByText('Survivor').count(), 0)
    })
  },
)

browserTest('the frame fits a phone and keys alone', async ({ visit, service }) => {
  const person = await makeAccount(service)
  await visit(
    '/start',
    person,
    async (tab) => {
      await tab.getByRole('heading', { level: 1, name: 'Start' }).waitFor()
      await tab.keyboard.press('Tab')
      assert.equal(await tab.evaluate('document.activeElement.textContent'), 'Skip to content')
      await tab.getByRole('button', { name: 'Menu' }).press('Enter')
      await assertAccessible(tab)
      await tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).press('Enter')
      await tab.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await assertAccessible(tab)
      await tab.keyboard.press('Control+k')
      const palette = tab.getByRole('dialog', { name: 'Command palette' })
      await palette.getByRole('combobox', { name: 'Search or jump to' }).fill('new ag')
      await palette.getByRole('option', { name: 'New agent' }).waitFor()
      await assertAccessible(tab)
      await tab.keyboard.press('Enter')
      await tab.getByRole('dialog', { name: 'New agent' }).getByRole('button', { name: 'Cancel' }).click()
      await tab.keyboard.press('Escape')
      await tab.locator('h1').press('g')
      await tab.keyboard.press('w')
      await tab.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
      await tab.goto(`${service.baseUrl}/console/settings`)
      await tab.getByRole('radio', { name: 'Dark' }).check()
      await tab.getByRole('combobox', { name: 'Time zone', exact: true }).fill('calcutta')
      await tab.reload()
      assert.equal(await tab.getByRole('radio', { name: 'Dark' }).isChecked(), true)
      await picture(tab, 'settings')
      await tab.goto(`${service.baseUrl}/console/nowhere?pseudo=rtl`)
      await tab.getByRole('heading', { level: 1, name: '[Not found]' }).waitFor()
      assert.equal(await tab.evaluate('document.documentElement.dir'), 'rtl')
    },
    { viewport: phone },
  )
})

browserTest('a second factor is asked for after the password', async ({ visit, service }) => {
  const person = await makeAccount(service)
  const { secret } = await turnOnFactor(service, person.token)
  await visit('/sign-in?next=/console/settings', undefined, async (tab) => {
    await tab.getByLabel('Email').fill(person.email)
    await tab.getByLabel('Password').fill(password)
    await tab.keyboard.press('Enter')
    await tab.getByRole('link', { name: 'Use a recovery code' }).waitFor()
    await assertAccessible(tab)
    await tab.getByRole('textbox', { name: 'Code' }).fill(codeOf(service, secret, 1))
    await tab.getByRole('button', { name: 'Verify' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  })
})
