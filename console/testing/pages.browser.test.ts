// Find a time, booking pages, a delivery, and the administrator: each screen opened once.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../../src/testing/browser.ts'
import { makeAgent, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertAccessible, consoleTest, picture } from './consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

/** Types, and takes the first option, by keys alone. */
async function pick(tab: Page, label: string, text: string) {
  await tab.getByRole('combobox', { name: label, exact: true }).focus()
  await tab.keyboard.type(text)
  await tab.getByRole('option', { name: text, exact: true }).waitFor()
  await tab.keyboard.press('Enter')
}

browserTest('a time for three agents is found and proposed by keys alone', async ({ visit, person, service }) => {
  const names = ['Ada', 'Grace', 'Edsger']
  const agents = []
  for (const name of names) agents.push(await makeAgent(service, person.token, { name }))
  const calendar = await makeCalendar(service, person.token, agents[0].id, { name: 'Meetings' })
  await makeEvent(service, person.token, calendar.id, {
    ...{ title: 'Planning', start_time: '2026-12-01T08:00:00Z', end_time: '2026-12-01T09:00:00Z' },
  })
  await visit('/find-a-time', person, async (tab) => {
    const question = tab.getByRole('form', { name: 'Question' })
    await question.getByRole('button', { name: 'Find times' }).press('Enter')
    await tab.locator('[aria-invalid=true]').first().waitFor()
    for (const name of names) await pick(tab, 'Agents', name)
    await tab.getByRole('button', { name: 'Remove Grace' }).waitFor()
    for (const [label, day] of [
      ['From', '2026-12-01'],
      ['To', '2026-12-01'],
    ] as const)
      await question.getByLabel(label, { exact: true }).fill(day)
    await question.getByLabel('Not before').fill('08:00')
    await question.getByLabel('Not before').press('Enter')
    const best = tab.getByRole('list', { name: 'Best times' })
    const time = best.getByRole('checkbox', { name: 'Tuesday 1 December 2026, 08:00–08:30' })
    await time.press('Space')
    const blocked = tab.getByRole('list', { name: 'Blocked' })
    await blocked.getByText('Tuesday 1 December 2026, 09:00–10:00 · Planning').waitFor()
    assert.equal(await best.getByRole('checkbox', { name: /, 07:/ }).count(), 0)
    await assertAccessible(tab)
    await picture(tab, 'find-a-time')
    await tab.getByRole('button', { name: 'Make a proposal' }).press('Enter')
    await tab.getByRole('dialog', { name: 'Make a proposal' }).waitFor()
    await tab.keyboard.type('Review')
    await pick(tab, 'Organizer', 'Ada')
    await pick(tab, 'Calendar', 'Meetings')
    await tab.getByLabel('Location').fill('Room 4')
    await tab.getByLabel('Call address').fill('https://meet.example/review')
    await tab.getByLabel('Call PIN').fill('4711')
    const weight = tab.getByLabel('Weight of Tuesday 1 December 2026, 08:00–08:30')
    assert.equal(await weight.isVisible(), false)
    await tab.getByText('More', { exact: true }).press('Enter')
    await weight.fill('11')
    await tab.getByText('More', { exact: true }).press('Enter')
    await assertAccessible(tab)
    await tab.getByRole('button', { name: 'Send proposal' }).press('Enter')
    // The service refuses it, and what hides it opens.
    await tab.locator(':focus').and(weight).waitFor()
    await weight.fill('2')
    await tab.getByLabel('Answers until').fill('2026-11-30T18:00')
    await assertAccessible(tab)
    await picture(tab, 'make-a-proposal')
    await tab.getByRole('button', { name: 'Send proposal' }).press('Enter')
    await tab.getByRole('heading', { level: 1, name: 'Review' }).waitFor()
    for (const fact of ['Room 4', 'https://meet.example/review', 'Call PIN: 4711']) await tab.getByText(fact).waitFor()
    await tab.getByRole('row', { name: /Grace No answer/ }).waitFor()
    await tab.getByRole('row', { name: 'Score 2' }).waitFor()
    await tab.getByText('Monday 30 November 2026, 18:00').waitFor()
  })
})

browserTest(
  'a booking page is made beside its preview, and its bookings are found and cancelled',
  async ({ visit, person, service }) => {
    await makeCalendar(service, person.token, undefined, { name: 'Guests' })
    // More than a picker has at hand: the oldest one is found by what is typed.
    const others = Array.from({ length: 100 }, (_, nth) => `Other ${nth}`)
    await Promise.all(others.map((name) => makeCalendar(service, person.token, undefined, { name })))
    await visit('/feeds', person, async (tab) => {
      await tab.getByText(/^1–50 of \d+$/).waitFor()
      await tab.getByRole('button', { name: 'Next page' }).click()
      await tab.getByText(/^51–100 of \d+$/).waitFor()
      await tab.getByRole('link', { name: 'Booking pages' }).click()
      await tab.getByText('No booking pages yet').waitFor()
      await tab.getByRole('button', { name: 'New booking page' }).click()
      const form = tab.getByRole('form', { name: 'Page' })
      await form.getByLabel('Title').fill('Half an hour')
      await pick(tab, 'Calendar', 'Guests')
      const preview = tab.frameLocator('iframe[title=Preview]')
      await preview.getByRole('heading', { name: 'Half an hour' }).waitFor()
      await form.getByLabel('Host name').fill('Ada')
      await preview.getByText('Ada').first().waitFor()
      await form.getByLabel('Duration (minutes)').fill('1')
      await form.getByRole('button', { name: 'Create page' }).click()
      await form.locator('[aria-invalid=true]').waitFor()
      await form.getByLabel('Duration (minutes)').fill('30')
      await form.getByLabel('Call address').fill('https://meet.example/half')
      await form.getByRole('switch', { name: 'Place and call on booked events' }).check()
      await form.getByRole('button', { name: 'Add question' }).click()
      await form.getByLabel('Question 1', { exact: true }).fill('Where do you work?')
      await form.getByLabel('Key of answer 1').fill('Company')
      await form.getByRole('button', { name: 'Create page' }).click()
      await tab.locator(':focus').and(form.getByLabel('Key of answer 1')).waitFor()
      await form.getByLabel('Key of answer 1').fill('company')
      await assertAccessible(tab)
      await picture(tab, 'new-booking-page')
      await form.getByRole('button', { name: 'Create page' }).click()
      await tab.getByRole('heading', { level: 1, name: 'Half an hour' }).waitFor()

      const address = await tab.getByRole('textbox', { name: 'Page address' }).inputValue()
      const slug = new URL(address).pathname
      const { slots } = (await service.call('GET', `${slug}/slots`)).body
      for (const [nth, name] of ['Grace Guest', 'Emil Guest'].entries()) {
        const body = { start: slots[nth * 4].start, name, email: `guest${nth}@example.com`, notes: '<b>Tea</b>' }
        assert.equal((await service.call('POST', slug, { body })).status, 201)
      }
      const bookings = tab.getByRole('table', { name: 'Bookings' })
      await tab.reload()
      await bookings.getByText('<b>Tea</b>').first().waitFor()
      await assertAccessible(tab)
      await picture(tab, 'booking-page')
      await tab.getByRole('searchbox', { name: 'Search bookings' }).fill('emil')
      await bookings.getByText('Grace Guest').waitFor({ state: 'detached' })
      assert.match(tab.url(), /[?&]query=emil/)
      await tab.getByRole('button', { name: 'Actions for Emil Guest' }).click()
      await tab.getByRole('menuitem', { name: 'Cancel booking' }).click()
      await tab.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
      await bookings.getByText('Cancelled').waitFor()

      await form.getByLabel('Title').fill('An hour')
      await tab.frameLocator('iframe[title=Preview]').getByRole('heading', { name: 'An hour' }).waitFor()
      await form.getByRole('button', { name: 'Save' }).click()
      await tab.getByRole('heading', { level: 1, name: 'An hour' }).waitFor()
      await form.getByRole('button', { name: 'Delete page' }).click()
      await tab.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
      await tab.getByRole('table', { name: 'Booking pages' }).getByRole('link', { name: 'An hour' }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'booking-pages')
    })
  },
)

browserTest(
  'a delivery says what was sent, and how each attempt ended',
  async ({ visit, person, receiver, service }) => {
    const hook = await service.call('POST', '/v1/webhooks', {
      key: person.token,
      body: { url: receiver.url, events: ['agent.created', 'calendar.created'].slice(0, 1) },
    })
    const agent = await makeAgent(service, person.token, { name: 'Zuse' })
    const calendar = await makeCalendar(service, person.token, agent.id, { name: 'Desk' })
    await service.drain()
    await visit(`/webhooks/${hook.body.id}`, person, async (tab) => {
      const deliveries = tab.getByRole('table', { name: 'Deliveries' })
      await deliveries.getByText('agent.created').waitFor()
      await tab.getByLabel('To', { exact: true }).fill('2026-01-01')
      await tab.getByText('Nothing matches.').waitFor()
      await tab.getByLabel('To', { exact: true }).fill('')
      await tab.getByRole('combobox', { name: 'Event type' }).selectOption('agent.created')
      await deliveries.getByRole('link').first().click()
      await tab.getByRole('heading', { level: 1, name: 'agent.created' }).waitFor()
      await tab.getByRole('table', { name: 'Attempts' }).getByText('200').waitFor()
      assert.match((await tab.getByRole('region', { name: 'Payload' }).textContent())!, /"Zuse"/)
      await tab.getByRole('region', { name: 'Headers' }).getByText('content-type').waitFor()
      await tab.getByRole('button', { name: 'Copy payload' }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'delivery')
      await tab.getByRole('button', { name: 'Resend' }).click()
      await tab.getByText('Delivery sent again').waitFor()
      // A receiver knows the id of the delivery alone.
      const whd = tab.url().split('/').at(-1)!
      await tab.getByRole('link', { name: 'Settings' }).click()
      await tab.keyboard.press('Control+k')
      await tab.keyboard.type(whd)
      await tab.getByRole('option', { name: `Open ${whd}` }).waitFor()
      await tab.keyboard.press('Enter')
      await tab.waitForURL(`**/webhooks/${hook.body.id}/deliveries/${whd}`)
      await tab.goto(`${service.baseUrl}/console/webhooks/${hook.body.id}?tab=health`)
      await tab.getByRole('img', { name: 'Attempts over time' }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'health')

      await tab.goto(`${service.baseUrl}/console/agents`)
      await tab.getByRole('searchbox', { name: 'Search agents' }).fill('zus')
      await tab.getByRole('link', { name: 'Ada' }).waitFor({ state: 'detached' })
      await tab.getByRole('link', { name: 'Zuse' }).waitFor()

      await tab.goto(`${service.baseUrl}/console/calendars/${calendar.id}`)
      const rules = tab.getByRole('region', { name: 'Availability rules' })
      await rules.getByLabel('Buffer before').fill('5')
      const other = { buffer_after_minutes: 7, timezone: 'UTC' }
      await service.call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, { key: person.token, body: other })
      await rules.getByRole('button', { name: 'Save rules' }).click()
      const stale = tab.getByRole('alertdialog', { name: 'Somebody else changed this' })
      await stale.getByRole('button', { name: 'Keep my changes' }).click()
      await tab.getByText('Availability rules saved').waitFor()
      assert.equal(await rules.getByLabel('Buffer after').inputValue(), '7')
      const feed = tab.getByRole('region', { name: 'Feed' })
      const address = await feed.getByLabel('Feed address').inputValue()
      await feed.getByRole('button', { name: 'Replace feed address' }).click()
      await tab.getByLabel('Type Desk to confirm').fill('Desk')
      await tab.getByRole('alertdialog').getByRole('button', { name: 'Replace feed address' }).click()
      await tab.getByText('Feed address replaced').waitFor()
      assert.notEqual(await feed.getByLabel('Feed address').inputValue(), address)
    })
  },
)

browserTest(
  'the administrator enters by the token, changes a plan, publishes terms and leaves',
  async ({ visit, person }) => {
    await visit('/admin/queues', undefined, async (tab) => {
      await tab.getByRole('heading', { level: 1, name: 'Administrator' }).waitFor()
      await tab.getByLabel('Administrator token').fill('wrong')
      await tab.getByRole('button', { name: 'Enter' }).click()
      await tab.getByRole('alert').getByText('This is not the administrator token.').waitFor()
      await assertAccessible(tab)
      await picture(tab, 'administrator')
      await tab.getByLabel('Administrator token').fill(adminToken)
      await tab.getByRole('button', { name: 'Enter' }).click()
      await tab.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
      await tab.getByRole('button', { name: 'New organization' }).click()
      const dialog = tab.getByRole('dialog', { name: 'New organization' })
      await dialog.getByLabel('Name').fill('Engines')
      await dialog.getByLabel('Email').fill('engines@example.com')
      await dialog.getByRole('button', { name: 'Create organization' }).click()
      await tab.getByRole('dialog', { name: 'Save this secret' }).getByRole('button', { name: 'Done' }).click()
      await tab.getByRole('searchbox', { name: 'Search organizations' }).fill('analytical')
      const table = tab.getByRole('table', { name: 'Organizations' })
      await table.getByRole('link', { name: 'Engines', exact: true }).waitFor({ state: 'detached' })
      await assertAccessible(tab)
      await picture(tab, 'admin-organizations')
      await table.getByRole('link', { name: 'Analytical Engines' }).click()
      const plan = tab.getByRole('form', { name: 'Plan' })
      await plan.getByRole('combobox', { name: 'Plan' }).selectOption('Custom')
      await plan.getByRole('group', { name: 'Limits' }).getByLabel('Agents', { exact: true }).fill('7')
      await assertAccessible(tab)
      await picture(tab, 'admin-organization')
      await plan.getByRole('button', { name: 'Save' }).click()
      await tab.getByText('Plan saved').waitFor()
      assert.equal(await plan.getByLabel('Agents', { exact: true }).inputValue(), '7')

      const navigation = tab.getByRole('navigation', { name: 'Administration' })
      await navigation.getByRole('link', { name: 'Terms' }).click()
      const terms = tab.getByRole('form', { name: 'Publish terms' })
      await terms.getByLabel('Version').fill('2027-01-01')
      await terms.getByLabel('Address').fill('nowhere')
      await terms.getByLabel('Effective on').fill('2027-01-01')
      const confirm = tab.getByRole('alertdialog', { name: 'Publish terms' })
      const publish = async () => {
        await terms.getByRole('button', { name: 'Publish terms' }).click()
        await confirm.getByLabel('Type 2027-01-01 to confirm').fill('2027-01-01')
        await confirm.getByRole('button', { name: 'Publish terms' }).click()
      }
      await publish()
      await terms.locator('[aria-invalid=true]').waitFor()
      await assertAccessible(tab)
      await picture(tab, 'admin-terms')
      await terms.getByLabel('Address').fill('https://example.com/terms')
      await publish()
      await tab.getByText('Terms published').waitFor()

      await navigation.getByRole('link', { name: 'Queues' }).click()
      await tab.getByRole('table', { name: 'Queues' }).getByText('deliveries').waitFor()
      await assertAccessible(tab)
      await picture(tab, 'admin-queues')
      await tab.getByRole('button', { name: 'Leave' }).click()
      await tab.getByRole('heading', { level: 1, name: 'Administrator' }).waitFor()
      assert.deepEqual(await tab.context().cookies(), [])
      assert.ok(person)
    })
  },
)
