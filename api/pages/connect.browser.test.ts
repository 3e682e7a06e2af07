// Connecting a calendar as a human does it, in a real browser: from the link to the end, at a provider and with its consent.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertReadable } from '../../src/testing/axe.ts'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { openHuman } from '../../src/testing/humanAtBrowser.ts'
import { googleTest } from '../../src/testing/providers/googleConnections.ts'
import { perFile } from '../../src/testing/test.ts'

const test = googleTest({ TRUSTED_PROXIES: 'loopback' })
  .extend('browser', perFile, ({ options: _ }) => openBrowser())
  .extend('human', ({ browser, service, desk }, { onCleanup }) => openHuman(browser, service, desk, onCleanup))
const browserTest = test.skipIf(Boolean(withoutBrowser))

const heading = (tab: Page, name: string | RegExp) => tab.getByRole('heading', { level: 1, name }).waitFor()

browserTest(
  'a human connects Google without a script, chooses calendars, and disconnects',
  async ({ service, desk, google, human }) => {
    google.addCalendar(desk.email, 'team', { summary: 'Team' })
    const link = await human.link()
    const tab = await human.open()
    await tab.goto(link.setup_url)
    await human.signIn(tab)
    await heading(tab, 'Connect your calendar')

    // They say no at the provider, and are offered the choice again.
    google.oauth.consent.isDenied = true
    await tab.getByRole('button', { name: 'Connect with Google' }).click()
    await heading(tab, /not connected/)
    assert.match(tab.url(), /\/connect\/failed\?reason=denied$/)
    const status = async () =>
      (await service.call('GET', `/v1/connection-links/${link.id}`, { key: desk.key })).body.status
    assert.equal(await status(), 'in_progress')
    google.oauth.consent.isDenied = false

    await tab.goto(link.setup_url)
    await tab.getByRole('button', { name: 'Connect with Google' }).click()
    await heading(tab, 'Choose your calendars')
    // Nothing of the way stands in the address.
    assert.equal(tab.url(), `${service.baseUrl}/connect/links/${link.id}`)
    const [primary, team] = [tab.getByLabel(desk.email), tab.getByLabel('Team')]
    assert.deepEqual([await primary.isChecked(), await team.isChecked()], [true, false])
    await team.check()
    await tab.getByRole('button', { name: 'Save' }).click()
    await heading(tab, 'Your calendar is connected')
    assert.equal(await status(), 'completed')

    google.addEvent('team', '2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z')
    await service.drain()
    const query = 'start=2026-03-02T10:00:00Z&end=2026-03-02T12:00:00Z&include_busy=true'
    const path = `/v1/agents/${desk.agent.id}/availability?${query}`
    const { body } = await service.call('GET', path, { key: desk.key })
    assert.equal(body.availability_state, 'complete')
    assert.deepEqual(
      body.per_agent_busy[desk.agent.id].map(({ start }: { start: string }) => start),
      ['2026-03-02T10:00:00.000Z'],
    )

    await tab.getByRole('link', { name: 'Your connections' }).click()
    await heading(tab, 'Your connected calendars')
    await tab.getByText('Agents respect when you are busy').waitFor()
    await tab.getByRole('button', { name: 'Pause' }).click()
    await tab.getByText('Nothing is read').waitFor()
    await tab.getByRole('button', { name: 'Resume' }).click()
    await tab.getByText('Agents respect when you are busy').waitFor()
    await tab.getByRole('button', { name: 'Disconnect' }).first().click()
    await tab.getByText('Nothing is connected').waitFor()
    await service.drain()
    assert.deepEqual(google.oauth.refreshTokens(), [])
  },
)

browserTest('a human declines with the keyboard', async ({ service, desk, human }) => {
  const link = await human.link({ capabilities: ['publishing'], publication_policy: 'confirmed' })
  const tab = await human.open({ javaScriptEnabled: true })
  await tab.goto(link.setup_url)
  await human.signIn(tab)
  await tab.getByText('with their titles and descriptions').waitFor()
  for (let presses = 0; presses < 20; presses++) {
    await tab.keyboard.press('Tab')
    if ((await tab.evaluate('document.activeElement.textContent')) === 'Decline') break
  }
  await tab.keyboard.press('Enter')
  await heading(tab, 'You declined')
  const { body } = await service.call('GET', `/v1/connection-links/${link.id}`, { key: desk.key })
  assert.equal(body.status, 'declined')
})

browserTest('every page can be read, in light and in the dark on a phone', async ({ desk, google, human }) => {
  google.addCalendar(desk.email, 'team', { summary: 'Donaudampfschifffahrtsgesellschaftskalender'.repeat(2) })
  const link = await human.link({ capabilities: ['availability', 'publishing'], publication_policy: 'confirmed' })
  // Axe is a script; the pages have none.
  const tab = await human.open({ javaScriptEnabled: true, bypassCSP: true })
  const looks = [
    { width: 320, colorScheme: 'dark' },
    { width: 1100, colorScheme: 'light' },
  ] as const
  const look = (page: string) => assertReadable(tab, page, looks)
  await tab.goto(link.setup_url)
  await look('1 sign in')
  await human.signIn(tab)
  await heading(tab, 'Connect your calendar')
  await look('2 setup')
  await tab.getByLabel('Address of the server').fill('https://10.0.0.1/')
  await tab.getByLabel('User name').fill('ada')
  await tab.getByLabel('Password').fill('wrong')
  await tab.getByRole('button', { name: 'Connect', exact: true }).click()
  await tab.getByRole('alert').waitFor()
  await look('3 a server that is refused')
  await tab.getByRole('button', { name: 'Connect with Google' }).click()
  await heading(tab, 'Choose your calendars')
  await look('4 choice')
  await tab.getByRole('radio').first().check()
  await tab.getByRole('button', { name: 'Save' }).click()
  await heading(tab, 'Your calendar is connected')
  await look('5 connected')
  await tab.getByRole('link', { name: 'Your connections' }).click()
  await heading(tab, 'Your connected calendars')
  await look('6 connections')
  await tab.goto(link.setup_url)
  await look('7 a used link')
  await tab.goto(`${new URL(link.setup_url).origin}/connect/failed?reason=scope_missing`)
  await look('8 failed')
})
