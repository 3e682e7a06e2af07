// Proposals, and what the plan allows.
import assert from 'node:assert/strict'
import { withoutBrowser } from '../../../src/testing/browser.ts'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { assertAccessible, consoleTest, picture } from '../../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest(
  'a proposal is answered for an agent and resolved, and the use of the plan is shown',
  async ({ visit, person, call, service }) => {
    const key = person.token
    const host = await makeAgent(service, key, { name: 'Host' })
    const guest = await makeAgent(service, key, { name: 'Guest' })
    const late = await makeAgent(service, key, { name: 'Late' })
    const silent = await makeAgent(service, key, { name: 'Silent' })
    const calendar = await makeCalendar(service, key, host.id)
    const made = await call('POST', '/v1/scheduling/proposals', {
      key,
      body: {
        title: 'Review',
        organizer_agent_id: host.id,
        participant_agent_ids: [guest.id, silent.id, late.id],
        calendar_id: calendar.id,
        slots: [
          { start_time: '2027-12-01T09:00:00Z', end_time: '2027-12-01T09:30:00Z' },
          { start_time: '2027-12-02T09:00:00Z', end_time: '2027-12-02T09:30:00Z', weight: 0.5 },
        ],
      },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    await visit('/proposals?status=pending', person, async (tab) => {
      const link = tab.getByRole('table', { name: 'Proposals' }).getByRole('link', { name: 'Review' })
      await link.waitFor()
      await assertAccessible(tab)
      await link.click()
      const table = tab.getByRole('table', { name: 'Responses' })
      const rows = async () => (await table.getByRole('row').allTextContents()).map((text) => text.replace(/\s+/g, ' '))
      await tab.getByRole('button', { name: 'Respond for Guest' }).click()
      assert.deepEqual(await rows(), [
        'ParticipantWednesday 1 December 2027, 10:00–10:30Thursday 2 December 2027, 10:00–10:30',
        'GuestNo answerNo answer',
        'SilentNo answerNo answer',
        'LateNo answerNo answer',
        'Score10.5',
      ])
      const respond = tab.getByRole('dialog', { name: 'Respond for Guest' })
      await respond.getByLabel('Time').selectOption({ index: 1 })
      await assertAccessible(tab)
      await respond.getByRole('button', { name: 'Send response' }).click()
      await table.getByText('Accepted').waitFor()
      await tab.getByRole('button', { name: 'Respond for Late' }).click()
      const counter = tab.getByRole('dialog', { name: 'Respond for Late' })
      await counter.getByRole('radio', { name: 'Counter' }).check()
      await counter.getByRole('button', { name: 'Add time' }).click()
      await counter.getByLabel('Start of time 1').fill('2027-12-03T10:00')
      await counter.getByLabel('End of time 1').fill('2027-12-03T09:00')
      await counter.getByLabel('Message').fill('Only on Fridays')
      await tab.keyboard.press('Enter')
      await tab.locator(':focus').and(counter.getByLabel('End of time 1')).waitFor()
      await counter.getByLabel('End of time 1').fill('2027-12-03T11:00')
      await assertAccessible(tab)
      await picture(tab, 'counter')
      await counter.getByRole('button', { name: 'Send response' }).click()
      const said = tab.getByRole('list', { name: 'Said with the responses' })
      await said.getByText('Only on Fridays').waitFor()
      await said.getByText('Friday 3 December 2027, 10:00–11:00').waitFor()
      assert.deepEqual((await rows()).slice(1), [
        'GuestNo answerAccepted',
        'SilentNo answerNo answer',
        'LateCounteredCountered',
        'Score1.31.8',
      ])
      await assertAccessible(tab)
      await picture(tab, 'proposal')
      await tab.getByRole('button', { name: 'Resolve' }).click()
      await tab.getByRole('alertdialog', { name: 'Resolve' }).getByRole('button', { name: 'Resolve' }).click()
      await tab.getByText('Confirmed', { exact: true }).waitFor()
      assert.equal(await tab.getByRole('button', { name: 'Cancel proposal' }).count(), 0)

      await tab.getByRole('link', { name: 'Usage' }).click()
      const limits = tab.getByRole('table', { name: 'Limits' })
      await limits
        .getByRole('row')
        .filter({ hasText: /^Agents450/ })
        .waitFor()
      await tab.getByRole('table', { name: 'Plans' }).getByText('Yours').waitFor()
      await assertAccessible(tab)
      await picture(tab, 'usage')
    })
  },
)
