// Connecting an account of Microsoft as a human does it, in a real browser: its consent is on another origin, to which the
// policy of our page must let a form lead.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { openHuman } from '../../src/testing/humanAtBrowser.ts'
import { microsoftTest } from '../../src/testing/providers/microsoftConnections.ts'
import { perFile } from '../../src/testing/test.ts'

const test = microsoftTest({ TRUSTED_PROXIES: 'loopback' })
  .extend('browser', perFile, ({ options: _ }) => openBrowser())
  .extend('human', ({ browser, service, desk }, { onCleanup }) => openHuman(browser, service, desk, onCleanup))

const heading = (tab: Page, name: string | RegExp) => tab.getByRole('heading', { level: 1, name }).waitFor()

test.skipIf(Boolean(withoutBrowser))(
  'a human says no to Microsoft, then connects it without a script, and publishing too',
  async ({ service, desk, microsoft, human }) => {
    const { settings } = microsoft.identity
    const link = await human.link({ capabilities: ['availability', 'publishing'], publication_policy: 'confirmed' })
    const tab = await human.open()
    await tab.goto(link.setup_url)
    await human.signIn(tab)
    await heading(tab, 'Connect your calendar')

    const { consent } = settings
    settings.consent = { kind: 'deny' }
    await tab.getByRole('button', { name: 'Connect with Microsoft' }).click()
    await heading(tab, /not connected/)
    assert.match(tab.url(), /\/connect\/failed\?reason=denied$/)
    settings.consent = consent

    await tab.goto(link.setup_url)
    await tab.getByRole('button', { name: 'Connect with Microsoft' }).click()
    await heading(tab, 'Choose your calendars')
    // Nothing of the way stands in the address.
    assert.equal(tab.url(), `${service.baseUrl}/connect/links/${link.id}`)
    const boxes = tab.getByRole('checkbox')
    assert.deepEqual(await boxes.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked)), [
      true,
      false,
    ])
    await tab.getByRole('radio').first().check()
    await tab.getByRole('button', { name: 'Save' }).click()
    await heading(tab, 'Your calendar is connected')

    const times = { start_time: '2026-03-02T10:00:00Z', end_time: '2026-03-02T11:00:00Z' }
    const path = `/v1/calendars/${desk.calendar.id}/events`
    const made = await service.call('POST', path, { key: desk.key, body: { title: 'Planned by an agent', ...times } })
    assert.deepEqual(made.body.external_sync, { status: 'queued' })
    await service.drain()
    assert.deepEqual(
      [...microsoft.mailbox.events.values()].map(({ fields }) => fields.subject),
      ['Planned by an agent'],
    )

    await tab.getByRole('link', { name: 'Your connections' }).click()
    await heading(tab, 'Your connected calendars')
    // Only the human can end a consent at Microsoft, so the page says where.
    for (const name of ['personal account', 'account of work or school']) {
      const href = await tab.getByRole('link', { name }).getAttribute('href')
      assert.match(href ?? '', /^https:\/\/(account|myapps)\.microsoft\.com\//)
    }
    await tab.getByRole('button', { name: 'Disconnect' }).first().click()
    await tab.getByText('Nothing is connected').waitFor()
    await service.drain()
    assert.equal(microsoft.mailbox.events.size, 0)
  },
)
