// A guest in a real browser, on the booking pages of a test.
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { guestEnv, newAddress, type TestPage } from './guests.ts'
import { perFile, serviceTest } from './test.ts'

const desktop = { width: 1100, height: 800 }
const workdays = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu'].map((name) => [name, { start: '09:00', end: '17:00' }]),
)
/** The settings of a page of these tests. */
export const berlin = {
  title: 'Intro call',
  timezone: 'Europe/Berlin',
  window_days: 45,
  availability_constraints: workdays,
}

export const slotQuery = (start: string) => `?slot=${encodeURIComponent(start)}`
export const textOf = (tab: Page, selector: string) => tab.locator(selector).textContent().then(String)

export const guestBrowserTest = () =>
  serviceTest({ env: guestEnv })
    .extend('browser', perFile, ({ options: _ }) => openBrowser())
    // A guest in Berlin, on a large screen, unless the options say otherwise.
    .extend(
      'visit',
      perFile,
      ({ browser }) =>
        async <T>(options: BrowserContextOptions, look: (tab: Page) => Promise<T>): Promise<T> => {
          const context = await browser.newContext({
            ...{ viewport: desktop, timezoneId: 'Europe/Berlin', locale: 'en-GB' },
            ...options,
            extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
          })
          // A page must not break its own policy, and its script must not fail.
          const complaints: string[] = []
          try {
            const tab = await context.newPage()
            tab.setDefaultTimeout(45_000)
            tab.on('pageerror', (error) => complaints.push(String(error)))
            tab.on(
              'console',
              (message) => /security policy|refused to/i.test(message.text()) && complaints.push(message.text()),
            )
            const result = await look(tab)
            assert.deepEqual(complaints, [])
            return result
          } finally {
            await context.close()
          }
        },
    )
    .extend(
      'urlOf',
      perFile,
      ({ service }) =>
        ({ page }: TestPage, query = '') =>
          `${service.baseUrl}/book/${page.slug}${query}`,
    )
    .extend(
      'bookedEvents',
      perFile,
      ({ call }) =>
        async ({ key, calendar }: TestPage) =>
          (await call('GET', `/v1/calendars/${calendar.id}/events`, { key })).body.data,
    )
