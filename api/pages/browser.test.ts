// Booking as a guest does it, in a real browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, newAddress, type TestPage } from '../../src/testing/guests.ts'
import { openTestService, type TestService, testStart } from '../../src/testing/harness.ts'

let service: TestService
let browser: Browser

beforeAll(async () => {
  if (withoutBrowser) return
  browser = await openBrowser()
  service = await openTestService({ env: guestEnv })
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const skip = withoutBrowser
const desktop = { width: 1100, height: 800 }
const workdays = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu'].map((name) => [name, { start: '09:00', end: '17:00' }]),
)
const berlin = { title: 'Intro call', timezone: 'Europe/Berlin', window_days: 45, availability_constraints: workdays }

/** A guest in Berlin, on a large screen, unless told otherwise. */
async function visit<T>(options: BrowserContextOptions, look: (tab: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    ...{ viewport: desktop, timezoneId: 'Europe/Berlin', locale: 'en-GB' },
    ...options,
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
  })
  /** What a page must never do: break its own policy, fail in its script. */
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
}

const urlOf = ({ page }: TestPage, query = '') => `${service.baseUrl}/book/${page.slug}${query}`
const slotQuery = (start: string) => `?slot=${encodeURIComponent(start)}`

async function bookedEvents({ key, calendar }: TestPage) {
  return (await service.call('GET', `/v1/calendars/${calendar.id}/events`, { key })).body.data
}

const textOf = (tab: Page, selector: string) => tab.locator(selector).textContent().then(String)

test('a guest books by mouse and takes the calendar file along', { skip: Boolean(skip) }, async () => {
  const made = await makePage(service, berlin)
  await visit({}, async (tab) => {
    await tab.goto(urlOf(made))
    assert.equal(await textOf(tab, 'h1'), 'Intro call')
    await tab.getByRole('link', { name: 'Wednesday 4 March' }).click()
    await tab.getByRole('heading', { name: 'Wednesday 4 March' }).waitFor()
    assert.match(tab.url(), /day=2026-03-04/)
    await tab.getByRole('link', { name: '09:30', exact: true }).click()
    await tab.getByLabel('Name').fill('Ada <Guest>')
    await tab.getByLabel('E-mail').fill('ada@example.com')
    await tab.getByLabel('Notes').fill('Hello\nthere')
    await tab.getByRole('button', { name: 'Book this time' }).click()
    await tab.getByRole('heading', { name: 'You are booked' }).waitFor()
    assert.match(await textOf(tab, 'main'), /Wednesday,? 4 March 2026\s+09:30 – 10:00\s+Europe\/Berlin \(CET\)/)
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('link', { name: 'Add to your calendar' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'booking.ics')
    assert.match(readFileSync(await download.path(), 'utf8'), /\r\nDTSTART:20260304T083000Z\r\n/)
  })
  const [event] = await bookedEvents(made)
  assert.equal(event.startTime, '2026-03-04T08:30:00.000Z')
  assert.deepEqual(event.metadata.booking, { name: 'Ada <Guest>', email: 'ada@example.com', notes: 'Hello\nthere' })
})

test('a guest books with the keyboard alone', { skip: Boolean(skip) }, async () => {
  const made = await makePage(service, berlin)
  await visit({}, async (tab) => {
    await tab.goto(urlOf(made))
    const focused = () =>
      tab.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
    const pressUntil = async (wanted: string) => {
      for (let presses = 0; presses < 40; presses++) {
        await tab.keyboard.press('Tab')
        if (String(await focused()).trim() === wanted) return
      }
      assert.fail(`the keyboard does not reach ${wanted}`)
    }
    await pressUntil('Monday 2 March')
    for (const [key, day] of [
      ['ArrowRight', 'Tuesday 3 March'],
      ['ArrowDown', 'Tuesday 10 March'],
      ['End', 'Tuesday 31 March'],
      ['ArrowUp', 'Tuesday 24 March'],
      ['Home', 'Monday 2 March'],
      ['ArrowLeft', 'Monday 2 March'],
    ] as const) {
      await tab.keyboard.press(key)
      assert.equal(await focused(), day, key)
    }
    await tab.keyboard.press('PageDown')
    await tab.getByRole('heading', { name: 'April 2026' }).waitFor()
    assert.equal(await focused(), 'Wednesday 1 April')
    await tab.keyboard.press('ArrowRight')
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { name: 'Thursday 2 April' }).waitFor()
    assert.equal(await focused(), 'Thursday 2 April')
    await pressUntil('09:00')
    await tab.keyboard.press('Enter')
    await tab.getByLabel('Name').waitFor()
    // The link to another time, then the three fields; the trap for robots is never reached.
    await pressUntil('Choose another time')
    for (const text of ['Ada', 'ada@example.com', 'By keyboard']) {
      await tab.keyboard.press('Tab')
      await tab.keyboard.type(text)
    }
    await tab.keyboard.press('Tab')
    assert.equal(await focused(), 'Book this time')
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { name: 'You are booked' }).waitFor()
  })
  const [event] = await bookedEvents(made)
  // After the change of clocks.
  assert.equal(event.startTime, '2026-04-02T07:00:00.000Z')
  assert.deepEqual(event.metadata.booking, { name: 'Ada', email: 'ada@example.com', notes: 'By keyboard' })
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without'
  test(`a guest who loses a race ${how} a script chooses another time and has nothing to type again`, {
    skip: Boolean(skip),
  }, async () => {
    const made = await makePage(service, berlin)
    await visit({ javaScriptEnabled }, async (tab) => {
      const start = '2026-03-04T08:30:00.000Z'
      await tab.goto(urlOf(made, slotQuery(start)))
      await tab.getByLabel('Name').fill('Ada')
      await tab.getByLabel('E-mail').fill('ada@example.com')
      await tab.getByLabel('Notes').fill('Line\nand line')
      assert.equal((await bookSlot(service, made.page.slug, start)).status, 201)
      const [answer] = await Promise.all([
        tab.waitForResponse((response) => response.request().method() === 'POST'),
        tab.getByRole('button', { name: 'Book this time' }).click(),
      ])
      assert.equal(answer.status(), 409)
      await tab.getByRole('alert').getByText('is no longer free').waitFor()
      assert.equal(await tab.getByLabel('Name').inputValue(), 'Ada')
      assert.equal(await tab.getByLabel('E-mail').inputValue(), 'ada@example.com')
      assert.equal(await tab.getByLabel('Notes').inputValue(), 'Line\nand line')
      await tab.getByRole('radio', { name: 'Wed 4 Mar, 10:00' }).check()
      await tab.getByRole('button', { name: 'Book the chosen time' }).click()
      await tab.getByRole('heading', { name: 'You are booked' }).waitFor()
    })
    assert.deepEqual(
      (await bookedEvents(made)).map(({ startTime }: { startTime: string }) => startTime),
      ['2026-03-04T08:30:00.000Z', '2026-03-04T09:00:00.000Z'],
    )
  })
}

test('a guest books without a script, in another zone', { skip: Boolean(skip) }, async () => {
  const made = await makePage(service, berlin)
  await visit({ javaScriptEnabled: false }, async (tab) => {
    await tab.goto(urlOf(made))
    await tab.getByLabel('Times are shown in').selectOption('Asia/Tokyo')
    await tab.getByRole('button', { name: 'Change' }).click()
    await tab.getByRole('link', { name: 'Thursday 5 March' }).click()
    await tab.getByRole('link', { name: 'April 2026' }).click()
    await tab.getByRole('link', { name: 'Wednesday 1 April' }).click()
    await tab.getByRole('link', { name: '16:00', exact: true }).click()
    assert.match(await textOf(tab, '.chosen'), /16:00 – 16:30\s+Asia\/Tokyo \(GMT\+9\)/)
    await tab.getByLabel('Name').fill('Ada')
    await tab.getByLabel('E-mail').fill('ada@example.com')
    await tab.getByRole('button', { name: 'Book this time' }).click()
    assert.match(
      await textOf(tab, 'main'),
      /You are booked[\s\S]*Wednesday,? 1 April 2026\s+16:00 – 16:30\s+Asia\/Tokyo/,
    )
  })
  assert.equal((await bookedEvents(made))[0].startTime, '2026-04-01T07:00:00.000Z')
})

test("times are shown in the guest's own zone, across the changes of both clocks", {
  skip: Boolean(skip),
}, async () => {
  const made = await makePage(service, berlin)
  await visit({ timezoneId: 'America/New_York', locale: 'en-US' }, async (tab) => {
    await tab.goto(urlOf(made))
    await tab.waitForURL(/zone=America%2FNew_York/)
    // New York changes on March 8, Berlin on March 29: the opening at 9:00 is seen an hour later in between.
    for (const [day, first] of [
      ['Thursday, March 5', '3:00 AM'],
      ['Tuesday, March 10', '4:00 AM'],
      ['Tuesday, March 31', '3:00 AM'],
    ] as const) {
      await tab.getByRole('link', { name: day }).click()
      await tab.getByRole('heading', { name: day }).waitFor()
      assert.equal((await textOf(tab, 'a.time >> nth=0')).replace(/\s/g, ' '), first)
    }
    await tab.getByLabel('Times are shown in').selectOption('Asia/Kolkata')
    await tab.waitForURL(/zone=Asia%2FKolkata/)
    assert.equal((await textOf(tab, 'a.time >> nth=0')).replace(/\s/g, ' '), '12:30 PM')
    assert.equal(await tab.evaluate('document.activeElement.id'), 'zone')
    await tab.goBack()
    await tab.locator('main[data-zone="America/New_York"]').waitFor()
  })
})

test('an hour that comes twice is told apart', { skip: Boolean(skip) }, async (t) => {
  t.onTestFinished(() => service.clock.set(testStart))
  await service.clock.set('2026-10-24T12:00:00Z')
  const made = await makePage(service, { ...berlin, availability_constraints: null, window_days: 2 })
  await visit({}, async (tab) => {
    await tab.goto(urlOf(made, '?day=2026-10-25&zone=Europe%2FBerlin'))
    const texts = (await tab.locator('a.time').allTextContents()).map((text) => text.replace(/\s+/g, ' '))
    assert.deepEqual(texts.slice(3, 9), ['01:30', '02:00 CEST', '02:30 CEST', '02:00 CET', '02:30 CET', '03:00'])
  })
})

test('what was typed wrong is said beside the field, which has the focus', { skip: Boolean(skip) }, async () => {
  const made = await makePage(service, berlin)
  await visit({}, async (tab) => {
    await tab.goto(urlOf(made, slotQuery('2026-03-04T08:30:00.000Z')))
    await tab.getByLabel('Name').fill('Ada')
    await tab.getByLabel('E-mail').fill('ada@localhost')
    await tab.getByRole('button').click()
    await tab.getByText('Please enter an e-mail address').waitFor()
    assert.equal(await tab.evaluate('document.activeElement.id'), 'email')
    assert.equal(await tab.getByLabel('Name').inputValue(), 'Ada')
    await tab.getByLabel('E-mail').fill('ada@example.com')
    await tab.getByRole('button').click()
    await tab.getByRole('heading', { name: 'You are booked' }).waitFor()
  })
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without'
  test(`pressing the button twice ${how} a script, or reloading, books once and shows the confirmation`, {
    skip: Boolean(skip),
  }, async () => {
    const made = await makePage(service, berlin)
    await visit({ javaScriptEnabled }, async (tab) => {
      await tab.goto(urlOf(made, slotQuery('2026-03-04T08:30:00.000Z')))
      await tab.getByLabel('Name').fill('Ada')
      await tab.getByLabel('E-mail').fill('ada@example.com')
      await tab.getByRole('button').dblclick()
      await tab.getByRole('heading', { name: 'You are booked' }).waitFor()
      await tab.reload()
      await tab.getByRole('heading', { name: 'You are booked' }).waitFor()
    })
    assert.equal((await bookedEvents(made)).length, 1)
  })
}

// Every state a guest can see, in light and dark, on a large screen and on one of 320 pixels.

type AxeResults = { violations: { id: string; nodes: { html: string }[] }[] }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function typeAndSend(tab: Page, made: TestPage, start: string, email = 'ada@example.com') {
  await tab.goto(urlOf(made, slotQuery(start)))
  await tab.getByLabel('Name').fill('Ada')
  await tab.getByLabel('E-mail').fill(email)
  await tab.getByRole('button').click()
  await tab.waitForLoadState()
}

const at = (time: string) => `2026-03-04T${time}:00.000Z`
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(3)

const states: [state: string, page: object, reach: (tab: Page, made: TestPage) => Promise<unknown>, view: string][] = [
  ['the free times', { description: 'One line\nand another' }, (tab, made) => tab.goto(urlOf(made)), 'picker'],
  ['a long title', { title: longWord, description: longWord }, (tab, made) => tab.goto(urlOf(made)), 'picker'],
  ['a day of many times', { duration_minutes: 5 }, (tab, made) => tab.goto(urlOf(made)), 'picker'],
  [
    'no free times',
    { availability_constraints: { fri: { start: '09:00', end: '09:10' } } },
    (tab, made) => tab.goto(urlOf(made)),
    'picker',
  ],
  ['a slot that is gone', {}, (tab, made) => tab.goto(urlOf(made, slotQuery(at('03:00')))), 'picker'],
  ['the form', {}, (tab, made) => tab.goto(urlOf(made, slotQuery(at('09:00')))), 'form'],
  ['the form with a mistake', {}, (tab, made) => typeAndSend(tab, made, at('09:00'), 'ada@localhost'), 'form'],
  [
    'a slot taken meanwhile',
    {},
    async (tab, made) => {
      await tab.goto(urlOf(made, slotQuery(at('09:00'))))
      await tab.getByLabel('Name').fill('Ada')
      await tab.getByLabel('E-mail').fill('ada@example.com')
      await makeEvent(service, made.key, made.calendar.id, { start_time: at('08:00'), end_time: at('12:00') })
      await tab.getByRole('button').click()
      await tab.getByRole('alert').waitFor()
    },
    'taken',
  ],
  ['the confirmation', { title: longWord }, (tab, made) => typeAndSend(tab, made, at('09:00')), 'booked'],
  [
    'no quota left',
    {},
    async (tab, made) => {
      const limits = { plan: 'custom', limits: { events: 0 } }
      await service.call('PATCH', `/v1/admin/orgs/${made.orgId}`, { key: 'admin-token-of-the-tests', body: limits })
      await typeAndSend(tab, made, at('09:00'))
    },
    'form',
  ],
  ['an unknown page', {}, (tab) => tab.goto(`${service.baseUrl}/book/nobody`), 'failed'],
  [
    'too many requests',
    {},
    async (tab, made) => {
      const headers = { 'x-forwarded-for': newAddress() }
      await tab.setExtraHTTPHeaders(headers)
      for (let nth = 0; nth < 60; nth++) await service.call('GET', '/book/nobody/slots', { headers })
      await tab.goto(urlOf(made))
    },
    'failed',
  ],
]

for (const [state, page, reach, view] of states) {
  test(`everybody can use the page: ${state}`, { skip: Boolean(skip) }, async () => {
    const made = await makePage(service, { ...berlin, ...page })
    await visit({}, async (tab) => {
      await reach(tab, made)
      assert.equal(await tab.locator('main').getAttribute('data-view'), view)
      await tab.evaluate(axe)
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ colorScheme })
        const { violations } = (await tab.evaluate(
          `axe.run({ rules: { 'target-size': { enabled: true } } })`,
        )) as AxeResults
        assert.deepEqual(
          violations.map(({ id, nodes }) => [colorScheme, id, nodes.map((node) => node.html)]),
          [],
        )
      }
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

test('a text that is read from the right begins at the right, and what a guest types does', {
  skip: Boolean(skip),
}, async () => {
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
})

test('the form of a new password keeps its button apart from its field', { skip: Boolean(skip) }, async () => {
  await visit({}, async (tab) => {
    await tab.goto(`${service.baseUrl}/v1/auth/password/reset?token=x`)
    const field = (await tab.locator('#password').boundingBox())!
    const button = (await tab.locator('button', { hasText: 'Set the password' }).boundingBox())!
    assert.ok(button.y - (field.y + field.height) >= 12)
  })
})
