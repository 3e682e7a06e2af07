// A person with the console in a real browser, on the service of a test.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { makeAccount } from '../../src/testing/accounts.ts'
import { ofColours, violations } from '../../src/testing/axe.ts'
import { openBrowser } from '../../src/testing/browser.ts'
import { adminToken, type TestService } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

/** A person with an organization of their own. */
type Person = { email: string; orgId: string; token: string; cookie: string }

async function makePerson(service: TestService): Promise<Person> {
  const person = await makeAccount(service, { name: 'Analytical Engines' })
  const changes = { plan: 'pro', rate_limit_per_second: 100_000 }
  await service.call('PATCH', `/v1/admin/orgs/${person.orgId}`, { key: adminToken, body: changes })
  return person
}

const wide = { width: 1280, height: 800 }
export const phone = { width: 360, height: 740 }

type Visits = { browser: Browser; service: TestService }
/** `provider`: an address besides that of the service where the browser may go. */
type VisitOptions = BrowserContextOptions & { provider?: string }

/** The page breaks neither its own policy nor a script, whatever the test does. Without a person nobody is signed in. */
export const visitor =
  ({ browser, service }: Visits) =>
  async (
    path: string,
    person: Pick<Person, 'cookie'> | undefined,
    look: (tab: Page) => Promise<unknown>,
    { provider, ...options }: VisitOptions = {},
  ): Promise<void> => {
    const context = await browser.newContext({
      ...{ viewport: wide, timezoneId: 'Europe/Berlin', locale: 'en-GB' },
      ...options,
    })
    if (person) {
      const [name, value] = person.cookie.split('=')
      await context.addCookies([{ name: name!, value: value!, url: service.baseUrl }])
    }
    const complaints: string[] = []
    try {
      const tab = await context.newPage()
      tab.setDefaultTimeout(30_000)
      tab.on('pageerror', (error) => complaints.push(String(error)))
      tab.on(
        'console',
        (message) => /security policy|refused to/i.test(message.text()) && complaints.push(message.text()),
      )
      tab.on('request', (request) => {
        const isExpected = [service.baseUrl, provider].some((known) => known && request.url().startsWith(known))
        if (!isExpected) complaints.push(request.url())
      })
      await tab.goto(`${service.baseUrl}/console${path}`)
      await look(tab).catch(async (error) => {
        await picture(tab, 'failed')
        throw error
      })
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  }

export const consoleTest = () =>
  serviceTest()
    .extend('browser', perFile, ({ options: _ }) => openBrowser())
    .extend('person', perFile, ({ service }) => makePerson(service))
    .extend('visit', perFile, visitor)

/** The screen as it stands breaks no rule of axe, in light and dark, and does not scroll sideways. */
export async function assertAccessible(tab: Page): Promise<void> {
  const every = { rules: { 'target-size': { enabled: true } } }
  for (const [colorScheme, rules] of [
    ['light', every],
    ['dark', ofColours],
  ] as const) {
    await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    assert.deepEqual(await violations(tab, rules), [], `${tab.url()}, ${colorScheme}`)
  }
  assert.equal(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'it scrolls sideways')
}

/** The elements that reach beyond the window. */
const tooWide = `[...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth && !one.closest('.scroll'))
  .map((one) => one.outerHTML.slice(0, 120))
  .join(' ')`

/** Once for each screen: it is accessible, fits a phone, and is pictured. */
export async function look(tab: Page, name: string): Promise<void> {
  await assertAccessible(tab)
  await tab.setViewportSize(phone)
  await tab
    .waitForFunction('document.documentElement.scrollWidth <= innerWidth')
    .catch(async () => assert.fail(`${name} is too wide: ${await tab.evaluate(tooWide)}`))
  await tab.setViewportSize(wide)
  await picture(tab, name)
}

/** Pictures for the eye, where CONSOLE_PICTURES names a folder. */
export async function picture(tab: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES
  if (!folder) return
  for (const width of [1280, 768, 360]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.setViewportSize({ width, height: 800 })
      await tab.emulateMedia({ colorScheme })
      await tab.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  }
  await tab.setViewportSize(wide)
}
