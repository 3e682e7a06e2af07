// A developer and a webhook, from the first secret to its end, with a receiver that answers.
import assert from 'node:assert/strict'
import { withoutBrowser } from '../../../src/testing/browser.ts'
import { makeAgent } from '../../../src/testing/factories.ts'
import { assertAccessible, consoleTest, picture } from '../../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest(
  'a webhook is made, tried, watched, replayed, rotated and deleted',
  async ({ visit, person, receiver, service }) => {
    await visit('/webhooks', person, async (tab) => {
      await tab.getByText('No webhooks yet').waitFor()
      await tab.getByRole('button', { name: 'New webhook' }).first().click()
      const create = tab.getByRole('dialog', { name: 'New webhook' })
      await create.getByLabel('Address').fill('not an address')
      await create.getByRole('button', { name: 'Create webhook' }).click()
      await create.locator('[aria-invalid=true]').first().waitFor()
      await create.getByLabel('Address').fill(receiver.url)
      await create.getByLabel('All events').check()
      assert.equal(await create.getByLabel('event.hold_created').isChecked(), true)
      await assertAccessible(tab)
      await picture(tab, 'new-webhook')
      await create.getByRole('button', { name: 'Create webhook' }).click()

      const secret = tab.getByRole('dialog', { name: 'Save this secret' })
      const text = await secret.getByRole('textbox', { name: 'Secret' }).inputValue()
      assert.match(text, /^\S{20,}$/)
      await secret.getByRole('button', { name: 'Done' }).click()
      assert.equal(String(await tab.evaluate('document.documentElement.outerHTML')).includes(text), false)
      const row = tab.getByRole('row').filter({ hasText: receiver.url })
      assert.match((await row.textContent())!, /Healthy/)
      await assertAccessible(tab)

      await makeAgent(service, person.token)
      await service.drain()
      await row.getByRole('link').click()
      await tab.getByRole('heading', { level: 1, name: receiver.url }).waitFor()
      const delivery = tab
        .getByRole('table', { name: 'Deliveries' })
        .getByRole('row')
        .filter({ hasText: 'agent.created' })
      await delivery.filter({ hasText: 'Delivered' }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'webhook')
      await tab.getByRole('button', { name: /^Actions for whd_/ }).press('ArrowDown')
      await assertAccessible(tab)
      await tab.getByRole('menuitem', { name: 'Resend' }).press('Enter')
      await tab.getByRole('region', { name: 'Notifications' }).getByText('Delivery sent again').waitFor()

      await tab.getByRole('button', { name: 'Send test' }).click()
      await tab.getByRole('dialog', { name: 'Send test' }).getByRole('button', { name: 'Send', exact: true }).click()
      await tab
        .getByRole('status')
        .filter({ hasText: /^Delivered, 200, \d+ ms$/ })
        .waitFor()
      await tab.keyboard.press('Escape')
      assert.equal(await tab.locator(':focus').textContent(), 'Send test')

      await tab.getByRole('button', { name: 'Replay' }).click()
      const replay = tab.getByRole('dialog', { name: 'Replay' })
      await replay.getByLabel('From').fill(service.clock.now().toISOString().slice(0, 10))
      await replay.getByLabel('All').check()
      await assertAccessible(tab)
      await replay.getByRole('button', { name: 'Start replay' }).click()
      await replay.getByRole('progressbar', { name: 'Replay' }).waitFor()
      await service.drain()
      await replay
        .getByRole('status')
        .filter({ hasText: /^(\d+) of \1 sent$/ })
        .waitFor()
      await replay.getByRole('button', { name: 'Done' }).click()

      await tab.getByRole('tab', { name: 'Deliveries' }).press('ArrowRight')
      await tab.getByRole('table', { name: 'Health' }).waitFor()
      assert.match(tab.url(), /\?tab=health/)
      await tab.getByRole('radio', { name: '1 hour' }).check()
      await assertAccessible(tab)
      await picture(tab, 'webhook-health')

      assert.equal(await tab.getByRole('button', { name: 'End overlap' }).count(), 0)
      await tab.getByRole('button', { name: 'Rotate secret' }).click()
      const rotate = tab.getByRole('dialog', { name: 'Rotate secret' })
      await rotate.getByLabel('Keep the old secret for').selectOption('1 hour')
      await rotate.getByRole('button', { name: 'Rotate', exact: true }).click()
      await secret.getByRole('button', { name: 'Done' }).click()
      await tab.getByRole('button', { name: 'End overlap' }).click()
      await tab.getByText('Overlap ended').waitFor()
      await tab.getByRole('button', { name: 'End overlap' }).waitFor({ state: 'detached' })

      await tab.getByRole('switch', { name: 'Active' }).uncheck()
      await tab.getByText('Off', { exact: true }).waitFor()
      await tab.getByRole('tab', { name: 'Settings' }).click()
      const settings = tab.getByRole('form', { name: 'Settings' })
      await settings.getByLabel('agent.created').uncheck()
      await settings.getByRole('button', { name: 'Save' }).click()
      await tab.getByText('Webhook saved').first().waitFor()
      assert.equal(await settings.getByLabel('All events').isChecked(), false)
      await assertAccessible(tab)
      await settings.getByRole('button', { name: 'Delete webhook' }).click()
      const confirm = tab.getByRole('alertdialog', { name: 'Delete webhook' })
      assert.equal(await confirm.getByRole('button', { name: 'Delete webhook' }).isDisabled(), true)
      await confirm.getByLabel(`Type ${receiver.url} to confirm`).fill(receiver.url)
      await confirm.getByRole('button', { name: 'Delete webhook' }).click()
      await tab.getByText('No webhooks yet').waitFor()
    })
  },
)

browserTest(
  'a webhook that somebody else changes is read again when the window gets the focus',
  async ({ visit, person, receiver, call }) => {
    const hook = (
      await call('POST', '/v1/webhooks', { key: person.token, body: { url: receiver.url, events: ['agent.created'] } })
    ).body
    const turn = (active: boolean) => call('PATCH', `/v1/webhooks/${hook.id}`, { key: person.token, body: { active } })
    await visit('/webhooks', person, async (tab) => {
      const row = tab.getByRole('row').filter({ hasText: receiver.url })
      await row.getByText('Healthy').waitFor()
      await turn(false)
      await tab.evaluate("dispatchEvent(new Event('focus'))")
      await row.getByText('Off').waitFor()
      await row.getByRole('link').click()
      const active = tab.getByRole('switch', { name: 'Active', exact: true })
      await active.waitFor()
      assert.equal(await active.isChecked(), false)
      await turn(true)
      await tab.evaluate("dispatchEvent(new Event('focus'))")
      await tab.getByText('Healthy').waitFor()
      assert.equal(await active.isChecked(), true)
    })
  },
)
