// The first look of a newcomer: the link of `npm start`, and the screens of a demo organization. `PICTURES=write` writes the pictures of
// docs/console.md; they are for readers, so nothing compares them.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { takeSignInLink } from '../../api/console/signInLink.ts'
import { fillDemo } from '../../local/demoData.ts'
import { openDemoReceiver } from '../../local/demoReceiver.ts'
import { sha256 } from '../../src/sealing/sealer.ts'
import { withoutBrowser } from '../../src/testing/browser.ts'
import { consoleTest, phone } from './consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

const images = join(import.meta.dirname, '../../docs/images')

async function show(tab: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== 'write') return
  await tab.mouse.move(0, 0)
  await tab.screenshot({ path: join(images, `console-${name}.png`), animations: 'disabled', caret: 'hide' })
}

browserTest(
  'a newcomer follows the link of npm start and sees a product at work',
  async ({ visit, person, service }) => {
    const receiver = (await openDemoReceiver(0))!
    const demo = { org_id: person.orgId, api_key: person.token, email: person.email, password: 'has one already' }
    const begun_at = service.clock.now().toISOString()
    await fillDemo(service.baseUrl, demo, { begun_at, receiver_port: receiver.port, done: false })
    await service.drain()
    const token = 'of-the-link'
    takeSignInLink(service.app, {
      ...{ kind: 'sign_in_link', org_id: demo.org_id, email: demo.email, password: demo.password },
      ...{ token_hash: sha256(token).toString('hex'), valid_for_ms: 60_000 },
    })
    const look = async (tab: Page) => {
      const menu = tab.getByRole('navigation', { name: 'Main' })
      await tab.getByRole('region', { name: 'Needs attention' }).getByRole('link').first().waitFor()
      assert.equal(new URL(tab.url()).pathname, '/console/start')
      await tab.clock.setSystemTime(begun_at)
      await tab.reload()
      await tab.getByRole('link', { name: /^Offered: call/ }).waitFor()
      await show(tab, 'start')
      await menu.getByRole('link', { name: 'Calendar', exact: true }).click()
      await tab.getByRole('combobox', { name: 'Columns' }).selectOption('Together')
      await tab.getByRole('button', { name: /^Offered: call with Willow & Sons, hold/ }).waitFor()
      await show(tab, 'calendar')
      await menu.getByRole('link', { name: 'Webhooks', exact: true }).click()
      await tab.getByText('Failing').first().waitFor()
      await tab.getByRole('link', { name: /\/calendar$/ }).click()
      await tab.getByRole('table', { name: 'Deliveries' }).getByRole('link').first().waitFor()
      await show(tab, 'webhook')
      await tab.emulateMedia({ colorScheme: 'dark' })
      await tab.setViewportSize(phone)
      await tab.goto(`${service.baseUrl}/console/proposals`)
      await tab.getByRole('link', { name: 'Quarterly review' }).click()
      await tab.getByRole('row', { name: /Maya Lindt/ }).waitFor()
      await show(tab, 'phone')
      // The address of the link is not where Back leads.
      const addresses = await tab.evaluate('performance.getEntriesByType("navigation").map(({ name }) => name).join()')
      assert.equal(String(addresses).includes(token), false)
    }
    await visit(`/welcome/${token}`, undefined, look, { timezoneId: 'UTC' })
    receiver.close()
  },
)
