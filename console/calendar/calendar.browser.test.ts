// People with the calendar: an agent's week, events that are made, moved, changed and deleted by mouse and by keys, and holds.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../../src/testing/browser.ts'
import { makeAgent, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { assertAccessible, consoleTest, phone, picture } from '../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

const now = '2026-03-02T09:00:00.000Z'
const at = (time: string, day = 3) => `2026-03-0${day}T${time}:00.000Z`
const planning = (times: string, day = 'Tuesday 3 March 2026') => `Planning, confirmed, ${day}, ${times}, Meetings`

const column = (tab: Page, name: string) => tab.getByRole('list', { name, exact: true })
const tile = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true })
const said = (tab: Page, text: string) => tab.getByRole('region', { name: 'Notifications' }).getByText(text).first()

/** A place in a column, by the minute of the day. */
async function place(list: Locator, minute: number): Promise<[number, number]> {
  const box = (await list.boundingBox())!
  return [box.x + box.width - 6, box.y + (box.height * minute) / 1_440]
}

async function drag(tab: Page, from: [number, number], to: [number, number]) {
  await tab.mouse.move(...from)
  await tab.mouse.down()
  await tab.mouse.move(from[0] + 3, from[1] + 5)
  await tab.mouse.move(...to)
  await tab.mouse.up()
}

async function until(isSo: () => Promise<boolean>) {
  for (let n = 0; n < 100 && !(await isSo()); n++) await new Promise((resolve) => setTimeout(resolve, 100))
  assert.ok(await isSo())
}

browserTest(
  'a week is read, and events are made, moved, changed and deleted',
  async ({ visit, person, call, service }) => {
    const { token: key } = person
    const agent = await makeAgent(service, key, { name: 'Ada' })
    const meetings = await makeCalendar(service, key, agent.id, { name: 'Meetings', timezone: 'Europe/Berlin' })
    const travel = await makeCalendar(service, key, agent.id, { name: 'Travel', timezone: 'Europe/Berlin' })
    const made = await makeEvent(service, key, meetings.id, {
      title: 'Planning',
      start_time: at('09:00'),
      end_time: at('09:30'),
    })
    const readMade = async () => (await call('GET', `/v1/events/${made.id}`, { key })).body

    await visit(`/agents/${agent.id}`, person, async (tab) => {
      await tab.clock.setSystemTime(now)
      await tab.getByRole('link', { name: 'Open in calendar' }).click()
      await tab.getByRole('heading', { level: 2, name: '2–8 March 2026' }).waitFor()
      await tile(tab, planning('10:00–10:30')).waitFor()
      assert.equal(await tile(tab, planning('10:00–10:30')).textContent(), 'Planning')
      const tuesday = column(tab, 'Tuesday 3 March, Meetings')
      await column(tab, 'All day, Tuesday 3 March, Meetings').waitFor({ state: 'attached' })
      await assertAccessible(tab)
      await picture(tab, 'week')

      // Its check box, and back.
      await tab.getByRole('group', { name: 'Calendars' }).getByRole('checkbox', { name: 'Travel' }).uncheck()
      await column(tab, 'Tuesday 3 March, Travel').waitFor({ state: 'detached' })
      assert.match(tab.url(), new RegExp(`cal=${meetings.id}$`))
      await tab.goBack()
      await column(tab, 'Tuesday 3 March, Travel').waitFor()

      // The options of a picker open over the grid; a zone has its name of today.
      await tab.getByRole('combobox', { name: 'Time zone', exact: true }).fill('kolk')
      await tab.getByRole('option', { name: 'Asia/Kolkata', exact: true }).click()
      await tile(tab, planning('14:30–15:00')).waitFor()
      await tab.goBack()

      // The day of the address comes into sight, from either side.
      const sunday = column(tab, 'Sunday 8 March, Travel')
      await tab.getByLabel('Go to date').fill('2026-03-08')
      await until(async () => (await sunday.boundingBox())!.x < 1_180)
      await tab.getByLabel('Go to date').fill('2026-03-02')
      await until(async () => (await column(tab, 'Monday 2 March, Meetings').boundingBox())!.x > 260)
      assert.ok((await sunday.boundingBox())!.x > 1_180)

      // By mouse: drawn, carried, pulled, put back, refused by another calendar.
      await drag(tab, await place(tuesday, 690), await place(tuesday, 750))
      const form = tab.getByRole('dialog', { name: 'New event' })
      await form.getByLabel('Title').fill('Lunch')
      await form.getByLabel('Location').fill('Canteen')
      await form.getByLabel('Call address').fill('https://meet.example/lunch')
      await form.getByLabel('Call provider').fill('Meet')
      await form.getByText('More', { exact: true }).click()
      await form.getByRole('button', { name: 'Add link' }).click()
      await form.getByLabel('Address of link 1').fill('menu')
      await form.getByRole('button', { name: 'Save' }).click()
      // The service says that it is no address, at the field.
      await tab.locator(':focus').and(form.getByLabel('Address of link 1')).waitFor()
      await form.getByLabel('Address of link 1').fill('https://example.com/menu')
      await form.getByLabel('Title').focus()
      assert.deepEqual(
        await Promise.all(['Start time', 'End time'].map((label) => form.getByLabel(label).inputValue())),
        ['11:30', '12:30'],
      )
      await assertAccessible(tab)
      await picture(tab, 'new-event')
      await tab.keyboard.press('Enter')
      await said(tab, 'Event created').waitFor()
      await tile(tab, 'Lunch, confirmed, Tuesday 3 March 2026, 11:30–12:30, Meetings').waitFor()

      const wednesday = column(tab, 'Wednesday 4 March, Meetings')
      await drag(tab, await place(tuesday, 610), await place(wednesday, 640))
      await tile(tab, planning('10:30–11:00', 'Wednesday 4 March 2026')).waitFor()
      await said(tab, 'Event moved').waitFor()
      assert.equal((await readMade()).startTime, at('09:30', 4))
      await drag(tab, await place(wednesday, 657), await place(wednesday, 690))
      await tile(tab, planning('10:30–11:30', 'Wednesday 4 March 2026')).waitFor()
      await said(tab, 'Event saved').waitFor()
      await tab.mouse.move(...(await place(wednesday, 640)))
      await tab.mouse.down()
      await tab.mouse.move(...(await place(column(tab, 'Thursday 5 March, Meetings'), 640)))
      await tile(tab, planning('10:30–11:30', 'Thursday 5 March 2026')).waitFor()
      await tab.keyboard.press('Escape')
      await tab.mouse.up()
      await drag(tab, await place(wednesday, 640), await place(column(tab, 'Wednesday 4 March, Travel'), 800))
      await tile(tab, planning('10:30–11:30', 'Wednesday 4 March 2026')).waitFor()

      // By keys: one tab stop, arrows, and the focus that goes along.
      await tile(tab, planning('10:30–11:30', 'Wednesday 4 March 2026')).focus()
      await tab.keyboard.press('v')
      await tab.keyboard.press('ArrowUp')
      await tab.keyboard.press('ArrowLeft')
      await tab.getByRole('status').filter({ hasText: 'Tuesday 3 March 2026, 10:15–11:15' }).waitFor()
      await tab.keyboard.press('Shift+ArrowUp')
      await tab.keyboard.press('Enter')
      const moved = tab.locator(':focus').and(tile(tab, planning('10:15–11:00')))
      await moved.waitFor()
      await until(async () => (await readMade()).endTime === at('10:00'))
      await tab.keyboard.press('ArrowDown')
      assert.match(String(await tab.locator(':focus').getAttribute('aria-label')), /^Lunch/)
      await tab.keyboard.press('Home')
      assert.equal(await tab.locator('[data-tile][tabindex="0"]').count(), 1)

      // Somebody else was faster.
      await tab.keyboard.press('e')
      const edit = tab.getByRole('dialog', { name: 'Edit event' })
      await edit.getByLabel('Title').fill('Planning of all')
      await call('PATCH', `/v1/events/${made.id}`, { key, body: { description: 'By somebody else' } })
      await tab.keyboard.press('Enter')
      await tab.getByRole('alertdialog').getByRole('button', { name: 'Keep my changes' }).click()
      await edit.waitFor({ state: 'detached' })
      const saved = await readMade()
      assert.deepEqual([saved.title, saved.description], ['Planning of all', 'By somebody else'])

      // The panel stands in the address, and a deletion has a way back.
      await tab
        .locator(':focus')
        .and(tab.getByRole('button', { name: /^Planning of all/ }))
        .waitFor()
      await tab.keyboard.press('Enter')
      const panel = tab.getByRole('dialog', { name: 'Planning of all' })
      await panel.getByRole('list', { name: 'History' }).getByText(`Created by ${person.email}`).waitFor()
      assert.equal(new URL(tab.url()).searchParams.get('event'), made.id)
      await assertAccessible(tab)
      await picture(tab, 'panel')
      await panel.getByRole('button', { name: 'Delete' }).click()
      await said(tab, 'Event deleted').waitFor()
      await tab.getByRole('button', { name: 'Undo' }).click()
      await tab.getByRole('button', { name: /^Planning of all, confirmed/ }).waitFor()

      // The place, the call and the rest.
      const lunch = tab.getByRole('button', { name: /^Lunch, confirmed/ })
      await lunch.click()
      const facts = tab.getByRole('dialog', { name: 'Lunch' })
      await facts.getByText('Canteen').waitFor()
      await facts.getByRole('link', { name: 'Meet' }).waitFor()
      await facts.getByRole('button', { name: 'Edit' }).click()
      const change = tab.getByRole('dialog', { name: 'Edit event' })
      await change.getByText('More', { exact: true }).click()
      assert.equal(await change.getByLabel('Address of link 1').inputValue(), 'https://example.com/menu')
      await change.getByRole('button', { name: 'Remove link 1' }).click()
      await change.getByLabel('Labels').fill('food, board')
      await change.getByRole('button', { name: 'Save' }).click()
      await change.waitFor({ state: 'detached' })
      await lunch.click()
      await facts.getByText('food, board').waitFor()
      // The history has the word, too.
      assert.equal(await facts.getByText('Links', { exact: true }).count(), 0)
      await tab.keyboard.press('Escape')

      // A whole day goes to another one.
      await makeEvent(service, key, meetings.id, {
        ...{ title: 'Fair', all_day: true, start_time: at('23:00', 1), end_time: at('23:00', 2) },
      })
      const fair = tab.getByRole('button', { name: /^Fair, confirmed, Tuesday 3 March 2026, all day/ })
      const box = (await tab.getByRole('button', { name: /^Fair, confirmed, Monday/ }).boundingBox())!
      const [, top] = [box.x, box.y + box.height / 2]
      await drag(tab, [box.x + 6, top], [(await place(tuesday, 0))[0], top])
      await fair.waitFor()

      // Changes of others come by themselves.
      await makeEvent(service, key, travel.id, { title: 'Train', start_time: at('12:00'), end_time: at('13:00') })
      await tile(tab, 'Train, confirmed, Tuesday 3 March 2026, 13:00–14:00, Travel').waitFor({ timeout: 5_000 })
    })
  },
)

browserTest(
  'holds, series, times that clocks skip, other views and a phone',
  async ({ visit, person, call, service }) => {
    const { token: key } = person
    const agent = await makeAgent(service, key, { name: 'Grace' })
    const desk = await makeCalendar(service, key, agent.id, { name: 'Desk', timezone: 'Europe/Berlin' })
    const hold = await makeHold(service, key, desk.id, {
      title: 'Slot',
      start_time: at('13:00'),
      end_time: at('13:30'),
    })
    const group = await call('POST', '/v1/hold-groups', {
      key,
      body: {
        ...{ title: 'Trip', start_time: at('17:00'), end_time: at('17:30'), renewable: true },
        ...{ requirements: [{ calendar_ids: [desk.id] }], hold_expires_at: new Date(Date.parse(now) + 300_000) },
      },
    })
    assert.equal(group.status, 201, JSON.stringify(group.body))
    const weekly = { title: 'Weekly', start_time: at('09:00'), end_time: at('09:30'), recurrence_rule: 'FREQ=WEEKLY' }
    const series = await makeEvent(service, key, desk.id, weekly)

    await visit('/settings', person, async (tab) => {
      await tab.clock.setSystemTime(now)
      await tab.goto(`${service.baseUrl}/console/calendar?cal=${desk.id}&date=2026-03-03&tz2=Asia/Kolkata`)
      await tile(tab, 'Slot, hold, Tuesday 3 March 2026, 14:00–14:30, Desk').click()
      const panel = tab.getByRole('dialog', { name: 'Slot' })
      assert.match((await panel.getByRole('timer', { name: 'Time left' }).textContent())!, /^[45]:\d\d$/)
      await assertAccessible(tab)
      await panel.getByRole('button', { name: 'Confirm hold' }).click()
      await said(tab, 'Hold confirmed').waitFor()
      await panel.getByRole('button', { name: 'Close' }).click()
      await tile(tab, 'Slot, confirmed, Tuesday 3 March 2026, 14:00–14:30, Desk').waitFor()
      assert.equal((await call('GET', `/v1/events/${hold.id}`, { key })).body.status, 'confirmed')

      // A group that may be renewed is held for longer.
      await tile(tab, 'Trip, hold, Tuesday 3 March 2026, 18:00–18:30, Desk').click()
      const trip = tab.getByRole('dialog', { name: 'Trip' })
      await trip.getByRole('button', { name: 'Extend group' }).click()
      const extend = tab.getByRole('dialog', { name: 'Extend group' })
      await extend.getByLabel('Hold for (minutes)').fill('600')
      await tab.keyboard.press('Enter')
      await extend.locator('[aria-invalid=true]').waitFor()
      await extend.getByLabel('Hold for (minutes)').fill('14')
      await assertAccessible(tab)
      await tab.keyboard.press('Enter')
      await said(tab, 'Group extended').waitFor()
      assert.match((await trip.getByRole('timer', { name: 'Time left' }).textContent())!, /^1[34]:\d\d$/)
      await trip.getByRole('button', { name: 'Close' }).click()

      const hours = column(tab, 'Hours, Asia/Kolkata').getByRole('listitem')
      assert.equal(await hours.nth(10).textContent(), '14:30')
      await tab.getByRole('switch', { name: 'Free times' }).check()
      await column(tab, 'Tuesday 3 March, Desk').getByText('Free, 10:30–14:00').waitFor({ state: 'attached' })

      // One event of a series.
      const one = (title: string, day: string) =>
        tile(tab, `${title}, confirmed, series, Tuesday ${day} March 2026, 10:00–10:30, Desk`)
      await one('Weekly', '3').focus()
      await tab.keyboard.press('e')
      await tab.getByRole('dialog', { name: 'Edit event' }).getByLabel('Title').fill('Once')
      await tab.keyboard.press('Enter')
      const which = tab.getByRole('dialog', { name: 'Change a series' })
      await which.getByRole('radio', { name: 'This event' }).check()
      await assertAccessible(tab)
      await which.getByRole('button', { name: 'Save' }).click()
      await one('Once', '3').waitFor()
      await tab.keyboard.press('j')
      await one('Weekly', '10').focus()
      await tab.keyboard.press('Delete')
      const end = tab.getByRole('dialog', { name: 'Delete a series' })
      await end.getByRole('radio', { name: 'This and following events' }).check()
      await end.getByRole('button', { name: 'Delete' }).click()
      await one('Weekly', '10').waitFor({ state: 'detached' })
      await tab.goto(`${service.baseUrl}/console/calendar?cal=${desk.id}&date=2026-03-03`)
      await until(async () =>
        /UNTIL|COUNT/.test((await call('GET', `/v1/events/${series.id}`, { key })).body.recurrenceRule),
      )

      // A time that clocks skip, and one that is not free.
      await one('Once', '3').waitFor()
      await tab.keyboard.press('c')
      const form = tab.getByRole('dialog', { name: 'New event' })
      await form.getByLabel('Title').fill('Night')
      await form.getByLabel('Start date').fill('2026-03-29')
      await form.getByLabel('Start time').fill('02:30')
      await tab.keyboard.press('Enter')
      await form.locator('[aria-invalid=true]').first().waitFor()
      await form.getByRole('list', { name: 'Other times' }).getByRole('button').first().click()
      await form.getByRole('button', { name: 'Save' }).click()
      await said(tab, 'Event created').waitFor()
      await tab.keyboard.press('c')
      await form.getByLabel('Title').fill('Free')
      await form.getByLabel('Start date').fill('2026-03-03')
      await form.getByLabel('Start time').fill('14:00')
      await form.getByLabel('End time').fill('14:30')
      await form.getByLabel('Only if the time is free').check()
      await tab.keyboard.press('Enter')
      await form.getByRole('list', { name: 'Other times' }).getByRole('button').first().click()
      assert.notEqual(await form.getByLabel('Start time').inputValue(), '14:00')
      await assertAccessible(tab)
      await form.getByRole('button', { name: 'Cancel' }).click()

      await tab.keyboard.press('m')
      await tab.getByRole('heading', { level: 2, name: 'March 2026' }).waitFor()
      await column(tab, 'Tuesday 3 March').getByRole('button', { name: /^Once/ }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'month')

      // To another day, by mouse and by keys.
      const meeting = { start_time: at('09:00', 5), end_time: at('10:00', 5) }
      await makeEvent(service, key, desk.id, { title: 'Carried', ...meeting })
      const carried = (day: string) => tile(tab, `Carried, confirmed, ${day} March 2026, 10:00–11:00, Desk`)
      const middle = async (list: Locator) => {
        const { x, y, width } = (await list.boundingBox())!
        return [x + width / 2, y + 8] as [number, number]
      }
      const [from, to] = [carried('Thursday 5'), column(tab, 'Tuesday 10 March')]
      await from.waitFor()
      await tab.mouse.move(...(await middle(from)))
      await tab.mouse.down()
      await tab.mouse.move(...(await middle(to)), { steps: 5 })
      await carried('Tuesday 10').waitFor()
      await tab.keyboard.press('Escape')
      await tab.mouse.up()
      await from.waitFor()
      await drag(tab, await middle(from), await middle(to))
      await said(tab, 'Event moved').waitFor()
      await carried('Tuesday 10').focus()
      await tab.keyboard.press('v')
      await tab.keyboard.press('ArrowRight')
      await tab.keyboard.press('Enter')
      await tab.locator(':focus').and(carried('Wednesday 11')).waitFor()
      await tab.keyboard.press('a')
      await tab.getByRole('heading', { level: 2, name: '2–8 March 2026' }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'agenda')
      await tab.setViewportSize(phone)
      await tab.goto(`${service.baseUrl}/console/calendar?cal=${desk.id}&date=2026-03-03`)
      await tab.getByRole('heading', { level: 2, name: 'Tuesday 3 March 2026' }).waitFor()
      await tab.getByRole('button', { name: 'Options' }).click()
      await assertAccessible(tab)
      await picture(tab, 'day')
    })
  },
)
