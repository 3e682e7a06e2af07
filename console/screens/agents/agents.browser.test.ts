// An operator with agents and their calendars: lists, filters, edits against others, typed ends, and a way back.
import assert from 'node:assert/strict'
import { withoutBrowser } from '../../../src/testing/browser.ts'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { assertAccessible, consoleTest, picture } from '../../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest(
  'agents are made, filtered, edited against others, paused and decommissioned',
  async ({ visit, person, call, service }) => {
    const planner = await makeAgent(service, person.token, { name: 'Planner' })
    await makeAgent(service, person.token, { name: 'Projector', type: 'resource' })
    await visit('/agents', person, async (tab) => {
      await tab.getByRole('link', { name: 'Planner' }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'agents')
      await tab.getByLabel('Type').selectOption('Resource')
      await tab.getByRole('link', { name: 'Planner' }).waitFor({ state: 'detached' })
      assert.match(tab.url(), /\/console\/agents\?type=resource$/)
      await tab.goBack()
      await tab.getByRole('link', { name: 'Planner' }).waitFor()

      // By keys alone: the menu, the dialog, and back to the button.
      await tab.getByRole('button', { name: 'Actions for Planner' }).press('ArrowDown')
      await tab.keyboard.press('Enter')
      const edit = tab.getByRole('dialog', { name: 'Edit' })
      await edit.getByLabel('Name').fill('Planner of Ada')
      await call('PATCH', `/v1/agents/${planner.id}`, { key: person.token, body: { description: 'By somebody else' } })
      await tab.keyboard.press('Enter')
      const stale = tab.getByRole('alertdialog', { name: 'Somebody else changed this' })
      assert.match((await stale.textContent())!, /NamePlannerPlanner of Ada/)
      await assertAccessible(tab)
      await picture(tab, 'somebody-else')
      await stale.getByRole('button', { name: 'Keep my changes' }).click()
      await tab.getByText('Agent saved').waitFor()
      assert.equal(await tab.locator(':focus').getAttribute('aria-label'), 'Actions for Planner of Ada')
      const saved = (await call('GET', `/v1/agents/${planner.id}`, { key: person.token })).body
      assert.deepEqual([saved.name, saved.description], ['Planner of Ada', 'By somebody else'])

      // Others' changes are offered, not pushed.
      await tab.waitForTimeout(3_200)
      await makeAgent(service, person.token, { name: 'Newest' })
      await tab.getByRole('button', { name: 'Show new' }).click()
      await tab.getByRole('link', { name: 'Newest' }).waitFor()

      // A service that does not answer: the same request again, with the same key.
      const keys: (string | undefined)[] = []
      await tab.route('**/v1/agents', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        keys.push(route.request().headers()['idempotency-key'])
        return keys.length === 1 ? route.abort() : route.continue()
      })
      await tab.getByRole('button', { name: 'New agent' }).click()
      const create = tab.getByRole('dialog', { name: 'New agent' })
      await create.getByLabel('Name').fill('Patient')
      await create.getByRole('button', { name: 'Create agent' }).click()
      await assertAccessible(tab)
      await create.getByRole('button', { name: 'Try again' }).click()
      await tab.getByRole('link', { name: 'Patient' }).waitFor()
      assert.deepEqual([keys.length, keys[0] === keys[1] && keys[0] !== undefined], [2, true])

      // A form that was left begins with its draft, where a person types on.
      await tab.getByRole('button', { name: 'New agent' }).click()
      await tab.keyboard.type('Half a name')
      await tab.keyboard.press('Escape')
      await tab.getByRole('button', { name: 'New agent' }).click()
      await create.getByRole('status').filter({ hasText: 'Draft restored' }).waitFor()
      assert.equal(await tab.locator(':focus').inputValue(), 'Half a name')
      await create.getByText('More', { exact: true }).click()
      await create.getByLabel('Metadata').fill('team')
      await create.getByLabel('Name').press('Enter')
      await tab.locator(':focus').and(create.getByLabel('Metadata')).waitFor()
      await create.getByLabel('Metadata').fill('{"team": "research"}')
      await tab.keyboard.press('Enter')
      await tab.getByRole('link', { name: 'Half a name' }).click()
      await tab.getByText('"team": "research"').waitFor()
      await tab.goBack()

      await tab.context().setOffline(true)
      await tab.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Offline' }).waitFor()
      await tab.getByRole('button', { name: 'Actions for Newest' }).click()
      await tab.getByRole('menuitem', { name: 'Pause' }).click()
      await tab.getByRole('alert').getByText('You are offline. Nothing was changed.').waitFor()
      await tab.context().setOffline(false)
      await tab.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor()

      await tab.getByRole('link', { name: 'Newest' }).click()
      await tab.getByRole('button', { name: 'Pause' }).click()
      await tab.getByRole('button', { name: 'Resume' }).waitFor()
      await tab.getByRole('button', { name: 'Decommission' }).click()
      const end = tab.getByRole('alertdialog', { name: 'Decommission' })
      await end.getByRole('textbox', { name: 'Type Newest to confirm' }).fill('Newest')
      await end.getByRole('button', { name: 'Decommission' }).click()
      await tab.getByText('Decommissioned', { exact: true }).waitFor()
      assert.equal(await tab.getByRole('button', { name: 'Edit agent' }).count(), 0)
      await tab.goto(`${service.baseUrl}/console/agents/agt_00000000000000000000000000`)
      await tab.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()

      // A screen without an answer has a heading, too.
      for (const address of ['**/v1/auth/session', `**/v1/agents/${planner.id}`]) {
        await tab.route(address, (route) => route.abort(), { times: 1 })
        await tab.goto(`${service.baseUrl}/console/agents/${planner.id}`)
        await tab.getByRole('heading', { level: 1, name: 'This could not be loaded' }).waitFor()
        await tab.getByRole('button', { name: 'Try again' }).click()
        await tab.getByRole('heading', { level: 1, name: 'Planner of Ada' }).waitFor()
      }
    })
  },
)

browserTest(
  'a calendar is made, has hours with a way back, and is deleted',
  async ({ visit, person, call, service }) => {
    const agent = await makeAgent(service, person.token, { name: 'Host' })
    await makeCalendar(service, person.token, agent.id, { name: 'Old' })
    await visit(`/agents/${agent.id}`, person, async (tab) => {
      await tab.getByRole('button', { name: 'New calendar' }).click()
      const create = tab.getByRole('dialog', { name: 'New calendar' })
      await create.getByLabel('Name').fill('Meetings')
      const zone = create.getByRole('combobox', { name: 'Time zone' })
      await zone.fill('new york')
      await create.getByRole('option', { name: 'America/New_York' }).waitFor()
      await assertAccessible(tab)
      await zone.press('Enter')
      assert.equal(await zone.inputValue(), 'America/New_York')
      await create.getByRole('button', { name: 'Create calendar' }).click()
      await tab.getByRole('link', { name: 'Meetings' }).click()

      await tab.getByRole('heading', { level: 1, name: 'Meetings' }).waitFor()
      const details = tab.getByRole('region', { name: 'Details' })
      await details.getByLabel('Default reminders').fill('10, 60')
      await details.getByRole('button', { name: 'Save' }).click()
      await tab.getByText('Calendar saved').waitFor()
      const rules = tab.getByRole('region', { name: 'Availability rules' })
      await rules.getByLabel('Buffer after').fill('10')
      await rules.getByRole('checkbox', { name: 'Monday' }).check()
      await rules.getByLabel('Monday to').fill('12:00')
      await rules.getByLabel('Monday also').fill('13:00–16:30')
      await rules.getByRole('button', { name: 'Add days' }).click()
      await tab.locator(':focus').and(rules.getByLabel('Days 1 from')).fill('2026-12-24')
      await rules.getByLabel('Days 1 hours').fill('all day')
      await rules.getByRole('button', { name: 'Add time off' }).click()
      await rules.getByLabel('Time off 1 from').fill('2026-12-30T12:00')
      await rules.getByLabel('Time off 1 to').fill('2026-12-31T12:00')
      await rules.getByRole('button', { name: 'Save rules' }).click()
      // The service says at the field what is wrong.
      await tab.locator(':focus').and(rules.getByLabel('Days 1 hours')).fill('')
      await rules.getByRole('button', { name: 'Save rules' }).click()
      await rules.getByRole('button', { name: 'Remove rules' }).waitFor()
      await assertAccessible(tab)
      await picture(tab, 'calendar-settings')
      const id = tab.url().split('/').at(-1)!
      const read = () => call('GET', `/v1/calendars/${id}/availability-rules`, { key: person.token })
      const { buffer_after_minutes, working_hours, timezone, dates, time_off } = (await read()).body
      assert.deepEqual(
        { buffer_after_minutes, working_hours, timezone, dates, time_off },
        {
          buffer_after_minutes: 10,
          working_hours: {
            mon: [
              { start: '09:00', end: '12:00' },
              { start: '13:00', end: '16:30' },
            ],
          },
          dates: [{ from: '2026-12-24', hours: [] }],
          time_off: [{ start: '2026-12-30T17:00:00.000Z', end: '2026-12-31T17:00:00.000Z' }],
          timezone: 'America/New_York',
        },
      )
      await rules.getByRole('button', { name: 'Remove rules' }).click()
      await tab.getByRole('button', { name: 'Undo' }).click()
      await rules.getByRole('button', { name: 'Remove rules' }).click()
      await rules.getByRole('checkbox', { name: 'Monday', checked: false }).waitFor()
      assert.equal((await read()).status, 200)
      // The page takes the request along.
      await tab.goto(`${service.baseUrl}/console/calendars/${id}`)
      await rules.getByRole('checkbox', { name: 'Monday', checked: false }).waitFor()
      assert.equal((await read()).status, 404)

      const feed = tab.getByRole('region', { name: 'Feed' }).getByLabel('Feed address')
      assert.match(await feed.inputValue(), /\.ics$/)
      await details.getByRole('button', { name: 'Delete calendar' }).click()
      const end = tab.getByRole('alertdialog', { name: 'Delete calendar' })
      await end.getByRole('textbox', { name: 'Type Meetings to confirm' }).fill('Meetings')
      await end.getByRole('button', { name: 'Delete calendar' }).click()
      await tab.getByRole('heading', { level: 1, name: 'Host' }).waitFor()
      await tab.getByRole('link', { name: 'Old' }).waitFor()
      assert.equal(await tab.getByRole('link', { name: 'Meetings' }).count(), 0)
    })
  },
)
