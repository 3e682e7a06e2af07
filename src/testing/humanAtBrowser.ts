// A human of a desk who has got a link, at a browser without scripts.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { password } from './accounts.ts'
import { newAddress } from './guests.ts'
import type { TestService } from './harness.ts'

type Desk = { calendar: { id: string }; key: string; owner: string }

export async function openHuman(
  browser: Browser,
  service: TestService,
  desk: Desk,
  onCleanup: (clean: () => Promise<void>) => void,
) {
  const link = async (body: object = {}) => {
    const path = `/v1/calendars/${desk.calendar.id}/connection-links`
    const made = await service.call('POST', path, { key: desk.key, body })
    assert.equal(made.status, 201)
    return made.body as { id: string; setup_url: string }
  }
  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      ...{ viewport: { width: 1100, height: 800 }, locale: 'en-GB', javaScriptEnabled: false },
      ...options,
      extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
    })
    onCleanup(() => context.close())
    const tab = await context.newPage()
    tab.setDefaultTimeout(45_000)
    return tab
  }
  async function signIn(tab: Page) {
    await tab.locator('#email').fill(desk.owner)
    await tab.locator('#password').fill(password)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  return { link, open, signIn }
}
