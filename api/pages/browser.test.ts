// Booking as a guest does it, in a real browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { withoutBrowser } from '../../src/testing/browser.ts'
import { berlin, guestBrowserTest, slotQuery, textOf } from '../../src/testing/guestBrowser.ts'
import { bookSlot, makePage } from '../../src/testing/guests.ts'
import { testStart } from '../../src/testing/harness.ts'

const test = guestBrowserTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest(
  'a guest books by mouse and takes the calendar file along',
  async ({ service, visit, urlOf, bookedEvents }) => {
    const made = await makePage(service, berlin)
    await visit({}, async (tab) => {
      await tab.goto(urlOf(made))
      assert.equal(await textOf(tab, 'h1'), 'Intro call')
      await tab.getByRole('link', { name: 'Wednesday 4 March' }).click()
      await tab.getByRole('heading', { name: 'Wednesday 4 March' }).waitFor()
      assert.match(tab.url(), /day=2026-03-04/)
      await tab.getByRole('link', { name: '09:30', exact: true }).click()
      await tab.getByLabel('Name').fill('Ada <Guest>')
      await tab.getByLabel('Email').fill('ada@example.com')
      await tab.getByLabel('Notes').fill('Hello\nthere')
      await tab.getByRole('button', { name: 'Book this time' }).click()
      await tab.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
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
  },
)

browserTest('a guest books with the keyboard alone', async ({ service, visit, urlOf, bookedEvents }) => {
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
    await pressUntil('Monday 2 March (Today)')
    for (const [key, day] of [
      ['ArrowRight', 'Tuesday 3 March'],
      ['ArrowDown', 'Tuesday 10 March'],
      ['End', 'Tuesday 31 March'],
      ['ArrowUp', 'Tuesday 24 March'],
      ['Home', 'Monday 2 March (Today)'],
      ['ArrowLeft', 'Monday 2 March (Today)'],
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
    await tab.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
  })
  const [event] = await bookedEvents(made)
  // After the change of clocks.
  assert.equal(event.startTime, '2026-04-02T07:00:00.000Z')
  assert.deepEqual(event.metadata.booking, { name: 'Ada', email: 'ada@example.com', notes: 'By keyboard' })
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without'
  browserTest(
    `a guest who loses a race ${how} a script chooses another time and types nothing again`,
    async ({ service, visit, urlOf, bookedEvents }) => {
      const made = await makePage(service, berlin)
      await visit({ javaScriptEnabled }, async (tab) => {
        const start = '2026-03-04T08:30:00.000Z'
        await tab.goto(urlOf(made, slotQuery(start)))
        await tab.getByLabel('Name').fill('Ada')
        await tab.getByLabel('Email').fill('ada@example.com')
        await tab.getByLabel('Notes').fill('Line\nand line')
        assert.equal((await bookSlot(service, made.page.slug, start)).status, 201)
        const [answer] = await Promise.all([
          tab.waitForResponse((response) => response.request().method() === 'POST'),
          tab.getByRole('button', { name: 'Book this time' }).click(),
        ])
        assert.equal(answer.status(), 409)
        await tab.getByRole('alert').getByText('is no longer available').waitFor()
        assert.equal(await tab.getByLabel('Name').inputValue(), 'Ada')
        assert.equal(await tab.getByLabel('Email').inputValue(), 'ada@example.com')
        assert.equal(await tab.getByLabel('Notes').inputValue(), 'Line\nand line')
        await tab.getByRole('radio', { name: 'Wed 4 Mar, 10:00' }).check()
        await tab.getByRole('button', { name: 'Book the chosen time' }).click()
        await tab.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
      })
      assert.deepEqual(
        (await bookedEvents(made)).map(({ startTime }: { startTime: string }) => startTime),
        ['2026-03-04T08:30:00.000Z', '2026-03-04T09:00:00.000Z'],
      )
    },
  )
}

browserTest('a guest books without a script, in another zone', async ({ service, visit, urlOf, bookedEvents }) => {
  const made = await makePage(service, berlin)
  await visit({ javaScriptEnabled: false }, async (tab) => {
    await tab.goto(urlOf(made))
    await tab.getByLabel('Time zone').fill('Asia/Tokyo')
    await tab.getByRole('button', { name: 'Change' }).click()
    await tab.getByRole('link', { name: 'Thursday 5 March' }).click()
    await tab.getByRole('link', { name: 'April 2026' }).click()
    await tab.getByRole('link', { name: 'Wednesday 1 April' }).click()
    await tab.getByRole('link', { name: '16:00', exact: true }).click()
    assert.match(await textOf(tab, '.chosen'), /16:00 – 16:30\s+Asia\/Tokyo \(GMT\+9\)/)
    await tab.getByLabel('Name').fill('Ada')
    await tab.getByLabel('Email').fill('ada@example.com')
    await tab.getByRole('button', { name: 'Book this time' }).click()
    assert.match(
      await textOf(tab, 'main'),
      /Booking confirmed[\s\S]*Wednesday,? 1 April 2026\s+16:00 – 16:30\s+Asia\/Tokyo/,
    )
  })
  assert.equal((await bookedEvents(made))[0].startTime, '2026-04-01T07:00:00.000Z')
})

browserTest(
  "times are shown in the guest's own zone, across the changes of both clocks",
  async ({ service, visit, urlOf }) => {
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
      await tab.getByLabel('Time zone').fill('kolkata')
      await tab.keyboard.press('Enter')
      await tab.waitForURL(/zone=Asia%2FKolkata/)
      assert.equal((await textOf(tab, 'a.time >> nth=0')).replace(/\s/g, ' '), '12:30 PM')
      assert.equal(await tab.evaluate('document.activeElement.id'), 'zone')
      await tab.goBack()
      await tab.locator('main[data-zone="America/New_York"]').waitFor()
    })
  },
)

browserTest('an hour that comes twice has two names', async ({ service, visit, urlOf, onTestFinished }) => {
  onTestFinished(() => service.clock.set(testStart))
  await service.clock.set('2026-10-24T12:00:00Z')
  const made = await makePage(service, { ...berlin, availability_constraints: null, window_days: 2 })
  await visit({}, async (tab) => {
    await tab.goto(urlOf(made, '?day=2026-10-25&zone=Europe%2FBerlin'))
    const texts = (await tab.locator('a.time').allTextContents()).map((text) => text.replace(/\s+/g, ' '))
    assert.deepEqual(texts.slice(3, 9), ['01:30', '02:00 CEST', '02:30 CEST', '02:00 CET', '02:30 CET', '03:00'])
  })
})

browserTest('a mistake is named beside its field, which has the focus', async ({ service, visit, urlOf }) => {
  const made = await makePage(service, berlin)
  await visit({}, async (tab) => {
    await tab.goto(urlOf(made, slotQuery('2026-03-04T08:30:00.000Z')))
    await tab.getByLabel('Name').fill('Ada')
    await tab.getByLabel('Email').fill('ada@localhost')
    await tab.getByRole('button').click()
    await tab.getByText('Please enter an email address').waitFor()
    assert.equal(await tab.evaluate('document.activeElement.id'), 'email')
    assert.equal(await tab.getByLabel('Name').inputValue(), 'Ada')
    await tab.getByLabel('Email').fill('ada@example.com')
    await tab.getByRole('button').click()
    await tab.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
  })
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without'
  browserTest(
    `pressing the button twice ${how} a script, or reloading, books once and shows the confirmation`,
    async ({ service, visit, urlOf, bookedEvents }) => {
      const made = await makePage(service, berlin)
      await visit({ javaScriptEnabled }, async (tab) => {
        await tab.goto(urlOf(made, slotQuery('2026-03-04T08:30:00.000Z')))
        await tab.getByLabel('Name').fill('Ada')
        await tab.getByLabel('Email').fill('ada@example.com')
        await tab.getByRole('button').dblclick()
        await tab.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
        await tab.reload()
        await tab.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
      })
      assert.equal((await bookedEvents(made)).length, 1)
    },
  )
}
