// Every state that a guest can see, in light and dark, on a large screen and on one of 320 pixels.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { languageNames } from '../../src/bookingPages/languages/languages.ts'
import { ofColours, violations } from '../../src/testing/axe.ts'
import { withoutBrowser } from '../../src/testing/browser.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { openFeedServer } from '../../src/testing/feedServer.ts'
import { berlin, guestBrowserTest, slotQuery } from '../../src/testing/guestBrowser.ts'
import { makePage, newAddress, type TestPage } from '../../src/testing/guests.ts'
import { adminToken, type TestService } from '../../src/testing/harness.ts'

const test = guestBrowserTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

type Desk = {
  service: TestService
  tab: Page
  made: TestPage
  urlOf(made: TestPage, query?: string): string
}

const every = { rules: { 'target-size': { enabled: true } } }

async function typeAndSend({ tab, made, urlOf }: Desk, start: string, email = 'ada@example.com') {
  await tab.goto(urlOf(made, slotQuery(start)))
  await tab.getByLabel('Name').fill('Ada')
  await tab.getByLabel('Email').fill(email)
  await tab.getByRole('button').click()
  await tab.locator('main:not([data-view=form]), [aria-invalid], [role=alert]').first().waitFor()
}

const at = (time: string) => `2026-03-04T${time}:00.000Z`
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(3)

/** Each colour once as its owner chose it, and hard to read. */
const own = {
  logo_url: 'https://www.example.com/logo.png',
  theme_color: '#ffd54a',
  additional_guests: 3,
  contact: 'ada@example.com',
  host_name: 'Ada',
}

const states: [state: string, page: object, reach: (desk: Desk) => Promise<unknown>, view: string][] = [
  [
    'the free times',
    { description: 'One line\nand another' },
    ({ tab, made, urlOf }) => tab.goto(urlOf(made)),
    'picker',
  ],
  [
    'a long title',
    { title: longWord, description: longWord },
    ({ tab, made, urlOf }) => tab.goto(urlOf(made)),
    'picker',
  ],
  ['a day of many times', { duration_minutes: 5 }, ({ tab, made, urlOf }) => tab.goto(urlOf(made)), 'picker'],
  [
    'no free times',
    { availability_constraints: { fri: { start: '09:00', end: '09:10' } } },
    ({ tab, made, urlOf }) => tab.goto(urlOf(made)),
    'picker',
  ],
  ['a slot that is gone', {}, ({ tab, made, urlOf }) => tab.goto(urlOf(made, slotQuery(at('03:00')))), 'picker'],
  ['a page in the colours of its owner', own, ({ tab, made, urlOf }) => tab.goto(urlOf(made)), 'picker'],
  ['its form', own, ({ tab, made, urlOf }) => tab.goto(urlOf(made, slotQuery(at('09:00')))), 'form'],
  ['its confirmation', { ...own, theme_color: '#101010' }, (desk) => typeAndSend(desk, at('09:00')), 'booked'],
  [
    'its contact where nothing is free',
    { ...own, min_notice_minutes: 1_440, window_days: 1 },
    ({ tab, made, urlOf }) => tab.goto(urlOf(made)),
    'picker',
  ],
  ['the form', {}, ({ tab, made, urlOf }) => tab.goto(urlOf(made, slotQuery(at('09:00')))), 'form'],
  ['the form with a mistake', {}, (desk) => typeAndSend(desk, at('09:00'), 'ada@localhost'), 'form'],
  [
    'a slot taken meanwhile',
    {},
    async ({ service, tab, made, urlOf }) => {
      await tab.goto(urlOf(made, slotQuery(at('09:00'))))
      await tab.getByLabel('Name').fill('Ada')
      await tab.getByLabel('Email').fill('ada@example.com')
      await makeEvent(service, made.key, made.calendar.id, { start_time: at('08:00'), end_time: at('12:00') })
      await tab.getByRole('button').click()
      await tab.getByRole('alert').waitFor()
    },
    'taken',
  ],
  ['the confirmation', { title: longWord }, (desk) => typeAndSend(desk, at('09:00')), 'booked'],
  [
    'no quota left',
    {},
    async (desk) => {
      const { service, made } = desk
      const limits = { plan: 'custom', limits: { events: 0 } }
      await service.call('PATCH', `/v1/admin/orgs/${made.orgId}`, { key: adminToken, body: limits })
      await typeAndSend(desk, at('09:00'))
    },
    'form',
  ],
  ['an unknown page', {}, ({ tab, service }) => tab.goto(`${service.baseUrl}/book/nobody`), 'failed'],
  [
    'too many requests',
    {},
    async ({ service, tab, made, urlOf }) => {
      const headers = { 'x-forwarded-for': newAddress() }
      await tab.setExtraHTTPHeaders(headers)
      for (let nth = 0; nth < 60; nth++) await service.call('GET', '/book/nobody/slots', { headers })
      await tab.goto(urlOf(made))
    },
    'failed',
  ],
]

for (const [state, page, reach, view] of states) {
  browserTest(`everybody can use the page: ${state}`, async ({ service, visit, urlOf }) => {
    const made = await makePage(service, { ...berlin, ...page })
    await visit({}, async (tab) => {
      await reach({ service, tab, made, urlOf })
      assert.equal(await tab.locator('main').getAttribute('data-view'), view)
      assert.deepEqual(await violations(tab, every), [])
      // Nothing but its colours differs in the dark.
      await tab.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await violations(tab, ofColours), [])
      await tab.setViewportSize({ width: 320, height: 640 })
      assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 320)
      const small =
        (await tab.evaluate(`[...document.querySelectorAll('a[class], button, select, input:not([type=hidden], [tabindex="-1"])')]
          .filter((element) => element.checkVisibility())
          .map((element) => [element.outerHTML, element.getBoundingClientRect()])
          .filter(([, { width, height }]) => width < 24 || height < 24).map(([text]) => text)`)) as string[]
      assert.deepEqual(small, [])
    })
  })
}

/** One from the left and one from the right. */
const looked: readonly string[] = ['en', 'ar']

type Look = { tab: Page; check(state: string): Promise<void> }

/** Axe, in light and dark, and that a phone of 320 pixels shows everything. */
async function walk({ tab, check }: Look, start: string, goto: (path: string) => Promise<unknown>) {
  await goto('')
  await check('the times')
  await goto(slotQuery(start))
  await tab.locator('#name').fill('Ada')
  await tab.locator('#email').fill('ada@localhost')
  await tab.locator('main button').click()
  await tab.locator('[aria-invalid]').waitFor()
  await check('a mistake')
  await tab.locator('#email').fill('ada@example.com')
  await tab.locator('[name="answers.size"]').selectOption('small')
  await tab.locator('main button').click()
  await tab.locator('[data-view=booked]').waitFor()
  await check('booked')
  await tab.reload()
  await tab.locator('[data-view=booking]').waitFor()
  await check('the booking')
  await tab.locator('a[href*="do=reschedule"]').click()
  await tab.locator('[data-view=picker]').waitFor()
  await check('new times')
  await tab.locator('a.time').last().click()
  await tab.locator('[data-view=move]').waitFor()
  await check('a move')
  await tab.locator('main button').click()
  await tab.locator('[data-view=booking]').waitFor()
  await check('moved')
  await tab.locator('a[href*="do=cancel"]').click()
  await tab.locator('[data-view=cancel]').waitFor()
  await check('a cancellation')
  await tab.locator('main button').click()
  await tab.locator('[data-view=booking]').waitFor()
  await check('cancelled')
}

for (const language of languageNames) {
  browserTest(
    `everybody can book, move and cancel in ${language}`,
    { timeout: 240_000 },
    async ({ service, visit, urlOf, bookedEvents }) => {
      const question = {
        name: 'size',
        label: 'How large?',
        kind: 'choice',
        required: true,
        options: ['small', 'large'],
      }
      const details = { host_name: 'Ada', location: 'https://meet.example.com/ada', questions: [question] }
      const made = await makePage(service, { ...berlin, ...details, description: 'See https://example.com/x' })
      await visit({ locale: language }, async (tab) => {
        const check = async (state: string) => {
          const { lang, dir } = (await tab.evaluate(
            '({ lang: document.documentElement.lang, dir: document.documentElement.dir })',
          )) as Record<string, string>
          assert.deepEqual([lang, dir], [language, language === 'ar' ? 'rtl' : 'ltr'])
          // Texts differ between languages; what a page is made of differs by where it begins.
          if (looked.includes(language)) assert.deepEqual(await violations(tab, every), [], state)
          await tab.setViewportSize({ width: 320, height: 640 })
          assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 320, state)
          await tab.setViewportSize({ width: 1280, height: 800 })
        }
        await walk({ tab, check }, at('09:00'), (query) => tab.goto(urlOf(made, query)))
      })
      assert.equal((await bookedEvents(made)).length, 0)
    },
  )
}

browserTest('a guest without a script moves and cancels a booking', async ({ service, visit, urlOf, bookedEvents }) => {
  const made = await makePage(service, berlin)
  await visit({ javaScriptEnabled: false }, async (tab) => {
    await tab.goto(urlOf(made, slotQuery(at('09:00'))))
    await tab.getByLabel('Name').fill('Ada')
    await tab.getByLabel('Email').fill('ada@example.com')
    await tab.getByRole('button').click()
    await tab.goto(
      await tab
        .getByRole('link', { name: 'Cancel or reschedule' })
        .getAttribute('href')
        .then((href) => new URL(href!, tab.url()).href),
    )
    await tab.getByRole('link', { name: 'Reschedule' }).click()
    await tab.getByRole('link', { name: 'Thursday 5 March' }).click()
    await tab.getByRole('link', { name: '11:00', exact: true }).click()
    await tab.getByRole('button', { name: 'Move the booking' }).click()
    await tab.getByRole('heading', { name: 'Booking rescheduled' }).waitFor()
    assert.equal((await bookedEvents(made))[0].startTime, '2026-03-05T10:00:00.000Z')
    await tab.getByRole('link', { name: 'Cancel the booking' }).click()
    await tab.getByRole('button', { name: 'Yes, cancel it' }).click()
    await tab.getByRole('heading', { name: 'Booking cancelled' }).waitFor()
  })
  assert.deepEqual(await bookedEvents(made), [])
})

browserTest(
  'offline the form keeps what was typed, and says that nothing was booked',
  async ({ service, visit, urlOf }) => {
    const made = await makePage(service, berlin)
    await visit({}, async (tab) => {
      await tab.goto(urlOf(made, slotQuery(at('09:00'))))
      await tab.getByLabel('Name').fill('Ada')
      await tab.getByLabel('Email').fill('ada@example.com')
      await tab.context().setOffline(true)
      await tab.getByRole('button').click()
      await tab.getByRole('alert').getByText('nothing was booked').waitFor()
      assert.equal(await tab.getByLabel('Name').inputValue(), 'Ada')
      await tab.context().setOffline(false)
      await tab.getByRole('button').click()
      await tab.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
      await tab.getByRole('link', { name: 'Cancel or reschedule' }).click()
      await tab.getByRole('link', { name: 'Cancel the booking' }).waitFor()
    })
  },
)

browserTest(
  'a guest books in the frame of a named site',
  async ({ service, visit, urlOf, bookedEvents, onTestFinished }) => {
    const site = await openFeedServer()
    onTestFinished(site.close)
    const address = site.url().replace('127.0.0.1', 'localhost')
    const made = await makePage(service, { ...berlin, allowed_origins: [new URL(address).origin] })
    const frame = `<iframe src="${urlOf(made, slotQuery(at('09:00')))}" title="Booking" width="600" height="900"></iframe>`
    site.answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(frame)
    await visit({}, async (tab) => {
      await tab.goto(address)
      const inside = tab.frameLocator('iframe')
      await inside.getByLabel('Name').fill('Ada')
      await inside.getByLabel('Email').fill('ada@example.com')
      await inside.getByRole('button').click()
      await inside.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
      const [own] = await Promise.all([
        tab.waitForEvent('popup'),
        inside.getByRole('link', { name: 'Cancel or reschedule' }).click(),
      ])
      await own.getByRole('link', { name: 'Cancel the booking' }).waitFor()
    })
    assert.equal((await bookedEvents(made)).length, 1)
  },
)

browserTest(
  'a text that is read from the right begins at the right, also while a guest types it',
  async ({ service, visit, urlOf }) => {
    const made = await makePage(service, { ...berlin, title: 'פגישת היכרות (30 דקות)', description: 'שיחה קצרה.' })
    await visit({}, async (tab) => {
      const directionOf = (selector: string) =>
        tab.locator(selector).evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).direction)
      await tab.goto(urlOf(made))
      assert.deepEqual([await directionOf('h1'), await directionOf('.description')], ['rtl', 'rtl'])
      assert.equal(await directionOf('main'), 'ltr')
      const { slots } = (await service.call('GET', `/book/${made.page.slug}/slots`)).body
      await tab.goto(urlOf(made, slotQuery(slots[0].start)))
      await tab.fill('#name', 'דנה')
      await tab.fill('#notes', 'להתראות')
      assert.deepEqual([await directionOf('#name'), await directionOf('#notes')], ['rtl', 'rtl'])
      assert.equal(await directionOf('#email'), 'ltr')
    })
  },
)

browserTest('the form of a new password keeps its button apart from its field', async ({ service, visit }) => {
  await visit({}, async (tab) => {
    await tab.goto(`${service.baseUrl}/v1/auth/password/reset?token=x`)
    const field = (await tab.locator('#password').boundingBox())!
    const button = (await tab.locator('button', { hasText: 'Set the password' }).boundingBox())!
    assert.ok(button.y - (field.y + field.height) >= 12)
  })
})

browserTest('a guest changes the clock with the keyboard, and keeps it', async ({ service, visit, urlOf }) => {
  const made = await makePage(service, berlin)
  await visit({ locale: 'en-US' }, async (tab) => {
    await tab.goto(urlOf(made))
    await tab.getByRole('link', { name: '1:00 PM' }).waitFor()
    await tab.locator('#clock').focus()
    await tab.keyboard.press('Enter')
    await tab.getByRole('link', { name: '13:00' }).waitFor()
    await tab.waitForFunction(`document.activeElement?.id === 'clock'`)
    await tab.getByRole('link', { name: '13:00' }).click()
    await tab.locator('[data-view=form]').getByText('13:00').waitFor()
  })
})

browserTest('a password can be shown, and is hidden again when it is sent', async ({ service, visit }) => {
  await visit({}, async (tab) => {
    await tab.goto(`${service.baseUrl}/v1/auth/password/reset?token=x`)
    const field = tab.getByLabel('New password')
    await field.fill('correct horse battery')
    const show = tab.getByRole('button', { name: 'Show the password' })
    await show.click()
    assert.equal(await field.getAttribute('type'), 'text')
    assert.equal(await show.getAttribute('aria-pressed'), 'true')
    assert.deepEqual(await violations(tab), [])
    await show.click()
    assert.equal(await field.getAttribute('type'), 'password')
  })
})
